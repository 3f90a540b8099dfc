import { createHash } from 'node:crypto';
import { POLICIES, policyOf } from '../domain/errorBody';
import type { Exchange, Purpose } from '../domain/exchange';
import { isLimit, isOwnAnswer } from '../domain/sendPolicy';
import { type Clock, systemClock } from './clock';
import { Line } from './line';
import { SharedReads } from './sharedReads';

/** For so long an answer of its own says that the API is there. */
const KNOWN_MS = 600_000;

/** Whether further requests would be refused with the same: then the next run asks with one request again. */
const refusesOthers = (kind: Purpose, exchange: Exchange): boolean =>
	exchange.kind === 'answer' &&
	([401, 403, 410, 422].includes(exchange.status) ||
		(exchange.status === 404 && (kind === 'bulkCall' || kind === 'placeCall')));

/** The calls per minute of one node: who takes a turn, one after the other, in all of its executions. */
export class Turns {
	/** Ends when everybody who waits has had a turn. */
	line: Promise<unknown> = Promise.resolve();
	/** When the next call may be started. */
	nextCall = -Infinity;
	/** Executions that take turns now. */
	users = 0;
}

/** What all executions of a process know of one account of the API, and share: its pauses, its pace, what is being read. */
export class Account {
	readonly reads = new SharedReads();
	private answeredAt = -Infinity;
	private usedAt: number;
	private readonly lines = new Map<Purpose, Line>();
	private readonly turns = new Map<string, Turns>();

	constructor(
		private readonly clock: Clock = systemClock,
		/** A short digest of the base URL. */
		readonly address = '',
	) {
		this.usedAt = clock.now();
	}

	/** Its requests of one kind. */
	line(kind: Purpose): Line {
		const line = this.lines.get(kind) ?? new Line(this.clock);
		this.lines.set(kind, line);
		return line;
	}

	/** To be called when a request leaves; what comes back, with what came of it. */
	leave(kind: Purpose): (exchange: Exchange) => void {
		const returned = this.line(kind).leave();
		this.use();
		return (exchange) => {
			this.use();
			if (isOwnAnswer(exchange))
				this.answeredAt = refusesOthers(kind, exchange) ? -Infinity : this.clock.now();
			returned(exchange);
			if (exchange.kind !== 'answer' || !isLimit(exchange)) return;
			// The allowance that is used up may be that of another kind: its requests would meet the same.
			const policy = policyOf(exchange.body);
			const other = Object.hasOwn(POLICIES, policy) ? POLICIES[policy]! : kind;
			if (other !== kind) this.line(other).pauseWith(exchange);
		};
	}

	/** Whether it has answered as itself within the last ten minutes, and not with a refusal that others would meet as well. */
	isKnown(): boolean {
		return this.clock.now() - this.answeredAt < KNOWN_MS;
	}

	/** The turns of a node, which all of its executions share. Whoever asked for them lets them go at the end. */
	turnsOf(node: string): Turns {
		this.forgetTurns();
		const turns = this.turns.get(node) ?? new Turns();
		this.turns.set(node, turns);
		turns.users++;
		return turns;
	}

	/** Somebody needs it, now and for some time. */
	use(): void {
		this.usedAt = this.clock.now();
	}

	/** Whether nobody has needed it for ten minutes, and there is nothing to know of it. */
	isForgotten(): boolean {
		this.forgetTurns();
		return (
			this.clock.now() - this.usedAt >= KNOWN_MS &&
			this.turns.size === 0 &&
			[...this.lines.values()].every(({ isIdle }) => isIdle)
		);
	}

	private forgetTurns(): void {
		const now = this.clock.now();
		for (const [node, { nextCall, users }] of this.turns)
			if (users === 0 && nextCall <= now) this.turns.delete(node);
	}
}

/** More are not kept, even if all are in use: whoever has so many credentials loses pauses, and nothing else. */
const MOST_ACCOUNTS = 1_000;

/** By a digest of base URL and token, the one that was asked for last at the end. */
const accounts = new Map<string, Account>();

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');

/** The account behind a base URL and a token. Accounts of which nothing is left to know are forgotten. */
export function accountOf(baseUrl: string, token: string): Account {
	const key = digest(`${baseUrl} ${token}`);
	const account = accounts.get(key) ?? new Account(systemClock, digest(baseUrl).slice(0, 8));
	account.use();
	accounts.delete(key);
	accounts.set(key, account);
	for (const [other, each] of accounts) if (each.isForgotten()) accounts.delete(other);
	const [oldest] = accounts.keys();
	if (accounts.size > MOST_ACCOUNTS) accounts.delete(oldest!);
	return account;
}
