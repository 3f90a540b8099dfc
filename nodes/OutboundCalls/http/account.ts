import { createHash } from 'node:crypto';
import { type Clock, systemClock } from './clock';

/** For so long an answer of its own says that the API is there. */
const KNOWN_MS = 600_000;

/** The calls per minute of one node: who takes a turn, one after the other, in all of its executions. */
export class Turns {
	/** Ends when everybody who waits has had a turn. */
	line: Promise<unknown> = Promise.resolve();
	/** When the next call may be started. */
	nextCall = -Infinity;
	/** Executions that take turns now. */
	users = 0;
}

/** What all executions of a process know of one account of the API. */
export class Account {
	private answeredAt = -Infinity;
	private readonly turns = new Map<string, Turns>();

	constructor(private readonly clock: Clock = systemClock) {}

	/** To be called for each answer that is the API's own. */
	answered(): void {
		this.answeredAt = this.clock.now();
	}

	/** Whether it has answered as itself within the last ten minutes. */
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

	/** Whether there is anything to know of it. */
	isForgotten(): boolean {
		this.forgetTurns();
		return !this.isKnown() && this.turns.size === 0;
	}

	private forgetTurns(): void {
		const now = this.clock.now();
		for (const [node, { nextCall, users }] of this.turns) if (users === 0 && nextCall <= now) this.turns.delete(node);
	}
}

/** By a digest of base URL and token. */
const accounts = new Map<string, Account>();

/** The account behind a base URL and a token. Accounts of which nothing is left to know are forgotten. */
export function accountOf(baseUrl: string, token: string): Account {
	for (const [key, account] of accounts) if (account.isForgotten()) accounts.delete(key);
	const key = createHash('sha256').update(`${baseUrl} ${token}`).digest('base64');
	const account = accounts.get(key) ?? new Account();
	accounts.set(key, account);
	return account;
}
