import type { IExecuteFunctions } from 'n8n-workflow';
import type { Row } from '../../../nodes/OutboundCalls/domain/row';
import type { Claims } from '../../../nodes/OutboundCalls/claims/claims';
import { type ClaimStore, openClaimStore } from '../../../nodes/OutboundCalls/claims/claimStore';
import { durableClaims } from '../../../nodes/OutboundCalls/claims/memory';

export const row = (position: number, destination: string): Row => ({
	itemIndex: position,
	position,
	isDry: false,
	destination,
	agentNumber: '+15550001000',
});

let stores = 0;

/** The host's store: it reads, changes and writes a whole list without a lock. */
export class HostStore {
	keys: string[] = [];
	/** What it was asked for last. */
	asked: string[] = [];
	writes = 0;
	outOfOrder = false;
	outOfOrderAfter = Infinity;
	isMadeByAnother = false;
	/** Asked at each write: whether it is lost before it is made, or made and then said to be lost. */
	breaks: () => 'before' | 'after' | undefined = () => undefined;
	private readonly id = `node ${++stores}`;

	/** Processes do not wait for one another. */
	context(process = 'main', more: object = {}): IExecuteFunctions {
		return {
			getWorkflow: () => ({ id: process }),
			getNode: () => ({ id: this.id }),
			helpers: {
				checkProcessedAndRecord: async (items: string[]) => {
					this.asked = items;
					const known = await this.read();
					await this.write([...known, ...items.filter((item) => !known.includes(item))]);
					return { new: items.filter((item) => !known.includes(item)), processed: items.filter((item) => known.includes(item)) };
				},
				removeProcessed: async (items: string[]) => {
					const known = await this.read();
					await this.write(known.filter((item) => !items.includes(item)));
				},
			},
			...more,
		} as unknown as IExecuteFunctions;
	}

	open(process?: string): ClaimStore {
		return openClaimStore(this.context(process));
	}

	/** What one run sees of it. */
	claims(isOurs?: (row: Row) => boolean): Claims {
		return durableClaims(this.open(), { keyOf: ({ destination }) => destination, ...(isOurs ? { isOurs } : {}) });
	}

	private async read(): Promise<string[]> {
		if (this.outOfOrder || this.writes >= this.outOfOrderAfter) throw new Error('database is locked');
		if (this.isMadeByAnother) {
			this.isMadeByAnother = false;
			throw new Error('duplicate key value violates unique constraint "PK_processed_data"');
		}
		await new Promise((resolve) => setImmediate(resolve));
		return this.keys;
	}

	private async write(keys: string[]): Promise<void> {
		await new Promise((resolve) => setImmediate(resolve));
		const broken = this.breaks();
		if (broken === 'before') throw new Error('connection refused');
		this.keys = keys;
		this.writes++;
		if (broken === 'after') throw new Error('connection terminated');
	}
}
