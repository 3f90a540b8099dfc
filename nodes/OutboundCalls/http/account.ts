import { createHash } from 'node:crypto';
import { type Clock, systemClock } from './clock';

/** For so long an answer of its own says that the API is there. */
const KNOWN_MS = 600_000;

/** What all executions of a process know of one account of the API. */
export class Account {
	private answeredAt = -Infinity;

	constructor(private readonly clock: Clock = systemClock) {}

	/** To be called for each answer that is the API's own. */
	answered(): void {
		this.answeredAt = this.clock.now();
	}

	/** Whether it has answered as itself within the last ten minutes. */
	isKnown(): boolean {
		return this.clock.now() - this.answeredAt < KNOWN_MS;
	}
}

/** By a digest of base URL and token. */
const accounts = new Map<string, Account>();

/** The account behind a base URL and a token. Accounts of which nothing is left to know are forgotten. */
export function accountOf(baseUrl: string, token: string): Account {
	for (const [key, account] of accounts) if (!account.isKnown()) accounts.delete(key);
	const key = createHash('sha256').update(`${baseUrl} ${token}`).digest('base64');
	const account = accounts.get(key) ?? new Account();
	accounts.set(key, account);
	return account;
}
