import type { IExecuteFunctions } from 'n8n-workflow';
import type { Row } from '../../../nodes/OutboundCalls/domain/row';
import { Memory, type MemoryKeys } from '../../../nodes/OutboundCalls/claims/memory';
import { RunKeys } from '../../../nodes/OutboundCalls/claims/runKeys';
import { type KeyStore, keyStoreOf } from '../../../nodes/OutboundCalls/execution/keyStore';

export const row = (position: number, destination: string): Row => ({
	itemIndex: position,
	position,
	isDry: false,
	destination,
	person: destination,
	agentNumber: '+15550001000',
});

let stores = 0;

/** The host's store: it reads, changes and writes a whole list without a lock. */
export class HostStore {
	keys: string[] = [];
	/** What it was asked for last. */
	asked: string[] = [];
	writes = 0;
	/** Keys that it was asked to take out: the host searches its list for each. */
	searches = 0;
	outOfOrder = false;
	outOfOrderAfter = Infinity;
	isMadeByAnother = false;
	/** Asked at each write: whether it is lost before it is made, or made and then said to be lost. */
	breaks: () => 'before' | 'after' | undefined = () => undefined;
	private readonly id = `node ${++stores}`;

	/** As a process has it: processes do not wait for one another. */
	of(process = 'main', more: object = {}): KeyStore {
		/** Without the ID of the workflow, which stands for the process here. */
		const plain = (item: string): string => item.slice(`${process} `.length);
		const context = {
			getWorkflow: () => ({ id: process }),
			helpers: {
				checkProcessedAndRecord: async (named: string[]) => {
					const items = named.map(plain);
					this.asked = items;
					const known = await this.read();
					if (this.isMadeByAnother) {
						this.isMadeByAnother = false;
						throw new Error('duplicate key value violates unique constraint "PK_processed_data"');
					}
					await this.write([...known, ...items.filter((item) => !known.includes(item))]);
					return {
						new: named.filter((item) => !known.includes(plain(item))),
						processed: named.filter((item) => known.includes(plain(item))),
					};
				},
				removeProcessed: async (named: string[]) => {
					const items = named.map(plain);
					this.searches += items.length;
					const known = await this.read();
					await this.write(known.filter((item) => !items.includes(item)));
				},
				getProcessedDataCount: async () => (await this.read()).length,
			},
			...more,
		} as unknown as IExecuteFunctions;
		return keyStoreOf(context, this.id, 'node');
	}

	/** What one run holds in it. */
	open(process?: string): RunKeys {
		return new RunKeys(this.of(process));
	}

	/** What one run claims in it. */
	claims(isOurs?: MemoryKeys['isOurs']): Memory {
		return new Memory(this.open(), {
			decidedBy: ({ destination }) => [destination],
			...(isOurs ? { isOurs } : {}),
		});
	}

	private async read(): Promise<string[]> {
		if (this.outOfOrder || this.writes >= this.outOfOrderAfter)
			throw new Error('database is locked');
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
