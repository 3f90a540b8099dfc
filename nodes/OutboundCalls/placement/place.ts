import { refusal, type Refusal } from '../api/refusal';
import type { ApiRequest, Exchange, Send } from '../api/exchange';
import { verdict } from '../domain/answer';
import { UNDIALED_FOR_NOW } from '../domain/outcome';
import type { Chunk } from '../domain/plan';
import { demandedWaitMs, spokenDuration } from '../domain/retryTiming';
import type { Row } from '../domain/row';
import { inLanes } from './lanes';
import type { Pace } from './pace';

/** What a row came to: a row of the output, or a refusal that becomes an n8n error item. */
export type Outcome<T> = { kind: 'result'; result: T } | { kind: 'refused'; refusal: Refusal };

/** Why a run ended before each row had an outcome. */
export type Halt =
	| { kind: 'refused' | 'unknown'; rows: readonly Row[]; refusal: Refusal }
	| { kind: 'cancelled' };

/** A result as far as placing needs to know it. */
export interface PlacementResult {
	status?: unknown;
}

/** One of the two endpoints that place calls. */
export interface Endpoint<T extends PlacementResult> {
	purpose: 'bulkCall' | 'placeCall';
	request(rows: readonly Row[]): ApiRequest;
	/** Results of a 2xx answer, one for each row sent; undefined for a row that it does not account for. */
	read(rows: readonly Row[], body: unknown): Array<T | undefined>;
	unknown(row: Row, reason: string): T;
	/** Rows → requests, for rows that are sent once more. */
	plan(rows: readonly Row[]): Chunk[];
}

export interface PlacementPolicy {
	/** Requests under way at the same time. */
	lanes: number;
	/** On Error = Stop: the first refusal or unknown ends the run. */
	stop: boolean;
	/** Send rows that the API could not dial for now again in later requests. */
	retryUndialed: boolean;
	/** The user's bound on waiting, in milliseconds, for the message. */
	maxWaitMs: number;
}

/** A server that does not open within so many tries is taken to be down. */
const CONNECTION_TRIES = 3;

/**
 * Sends chunks and settles their rows. The only place that places calls: a request goes out again only
 * when `verdict` proves that it placed nothing.
 */
export class Placement<T extends PlacementResult> {
	readonly outcomes = new Map<number, Outcome<T>>();
	private halt: Halt | undefined;
	private readonly endedGroups = new Map<number, Refusal>();
	private endedRun: Refusal | undefined;
	private resending = false;

	constructor(
		private readonly endpoint: Endpoint<T>,
		private readonly send: Send,
		private readonly pace: Pace,
		private readonly policy: PlacementPolicy,
	) {}

	/** Resolves when every row of the chunks has an outcome, or with what ended the run before. */
	async run(chunks: readonly Chunk[]): Promise<Halt | undefined> {
		await this.sendAll(chunks);
		for (let round = 0; this.policy.retryUndialed && !this.halt && !this.endedRun; round++) {
			const undialed = this.undialed(chunks);
			if (undialed.length === 0 || !this.pace.pause(undefined, round)) break;
			this.resending = true;
			await this.sendAll(this.endpoint.plan(undialed));
		}
		return this.halt;
	}

	private undialed(chunks: readonly Chunk[]): Row[] {
		return chunks.flatMap(({ rows, group }) =>
			this.endedGroups.has(group)
				? []
				: rows.filter(({ position }) => {
						const outcome = this.outcomes.get(position);
						return outcome?.kind === 'result' && UNDIALED_FOR_NOW.includes(String(outcome.result.status));
					}),
		);
	}

	private async sendAll(chunks: readonly Chunk[]): Promise<void> {
		await inLanes(this.policy.lanes, chunks.length, async (index) => {
			await this.settle(chunks[index]!);
			return this.halt === undefined;
		});
	}

	private async settle(chunk: Chunk): Promise<void> {
		const slot = this.pace.reserve(chunk.rows.length);
		for (let attempt = 0; ; attempt++) {
			const proceed = await this.pace.turn(slot);
			if (this.halt) return;
			if (!proceed) {
				this.halt = { kind: 'cancelled' };
				return;
			}
			const ended = this.endedRun ?? this.endedGroups.get(chunk.group);
			if (ended) return this.refuse(chunk.rows, ended);

			const request = this.endpoint.request(chunk.rows);
			const exchange = await this.send(request);
			const proof = verdict(this.endpoint.purpose, exchange);
			if (proof.kind === 'done' && exchange.kind === 'answer') return this.place(chunk.rows, exchange);
			const refused = this.describe(exchange, request, chunk.rows);
			if (proof.kind !== 'refused') return this.lose(chunk.rows, refused);

			const opened = exchange.kind !== 'notOpened';
			if (proof.again && (opened || attempt + 1 < CONNECTION_TRIES)) {
				const demandedMs = demandedWaitMs(exchange, Date.now());
				if (this.pace.pause(demandedMs, attempt)) continue;
				return this.giveUp(chunk, this.comeBackLater(refused, demandedMs), true);
			}
			return await this.giveUp(chunk, refused, !opened);
		}
	}

	private place(rows: readonly Row[], exchange: Exchange & { kind: 'answer' }): void {
		const results = this.endpoint.read(rows, exchange.body);
		const lost: Row[] = [];
		rows.forEach((row, i) => {
			const result = results[i];
			if (result) this.outcomes.set(row.position, { kind: 'result', result });
			else lost.push(row);
		});
		if (lost.length > 0) {
			this.lose(lost, {
				message:
					'The API’s answer says nothing that can be read about this row, so the call may have been placed',
				remedy:
					'This node does not send it again, so that nobody is called twice. Look at the outbound calls page of your dashboard before you call the number again.',
				httpCode: exchange.status,
			});
		}
	}

	/** Sent, and nobody knows: never sent again. */
	private lose(rows: readonly Row[], why: Refusal): void {
		for (const row of rows) {
			const result = this.endpoint.unknown(row, `${why.message}. ${why.remedy}`);
			this.outcomes.set(row.position, { kind: 'result', result });
		}
		if (this.policy.stop) this.halt ??= { kind: 'unknown', rows, refusal: why };
	}

	private refuse(rows: readonly Row[], why: Refusal): void {
		for (const { position } of rows) {
			// A row that is sent once more keeps the outcome that it has.
			if (!this.outcomes.has(position)) this.outcomes.set(position, { kind: 'refused', refusal: why });
		}
	}

	/** The chunk was refused for good. With On Error = Continue its good rows, and other chunks, may still be called. */
	private async giveUp(chunk: Chunk, why: Refusal, endsRun: boolean): Promise<void> {
		if (endsRun) this.endedRun ??= why;
		else if (why.endsGroup) this.endedGroups.set(chunk.group, why);
		if (this.policy.stop && !this.resending) {
			this.halt ??= { kind: 'refused', rows: chunk.rows, refusal: why };
			return;
		}
		if (why.httpCode !== 400 || endsRun) return this.refuse(chunk.rows, why);
		const parts = isolate(chunk.rows, why);
		this.refuse(parts.bad, why);
		for (const rows of parts.again) {
			if (!this.halt) await this.settle({ rows, group: chunk.group });
		}
	}

	private describe(exchange: Exchange, { timeoutMs }: ApiRequest, rows: readonly Row[]): Refusal {
		const subject = { purpose: this.endpoint.purpose, agentNumber: rows[0]!.agentNumber, timeoutMs };
		return refusal(exchange, subject, Date.now());
	}

	private comeBackLater(why: Refusal, demandedMs: number | undefined): Refusal {
		const bound = spokenDuration(this.policy.maxWaitMs);
		return {
			...why,
			remedy: demandedMs
				? `Run again in ${spokenDuration(demandedMs)}: the API asks for that wait, which is longer than the option Max Retry Wait allows (${bound} in all).`
				: `It was tried again for ${bound}, as the option Max Retry Wait allows. Run again later.`,
		};
	}
}

/**
 * Splits a chunk that was refused with 400 so that its good rows are still called. Where the API names
 * the missing variables the bad rows are known at once; otherwise halves are tried.
 */
function isolate(rows: readonly Row[], why: Refusal): { bad: readonly Row[]; again: Row[][] } {
	const needed = why.missingVariables;
	if (needed) {
		const lacks = (row: Row): boolean => needed.some((name) => row.variables?.[name] === undefined);
		const bad = rows.filter(lacks);
		if (bad.length > 0) {
			const good = rows.filter((row) => !lacks(row));
			return { bad, again: good.length > 0 ? [good] : [] };
		}
	}
	if (rows.length === 1) return { bad: rows, again: [] };
	const middle = Math.ceil(rows.length / 2);
	return { bad: [], again: [rows.slice(0, middle), rows.slice(middle)] };
}
