import { findAgent } from './admission';
import { Callbacks } from './callback';
import { FaultPlan } from './faults';
import { CallRecords } from './records';
import { type Answer, rateLimited } from './refusals';
import type {
	Dial,
	DestinationOutcome,
	ExistingBatch,
	RateLimit,
	SandboxOptions,
	Settings,
} from './types';

/** Counts placement requests in fixed windows; a refused request does not count. */
class RateWindow {
	private startedAt = -Infinity;
	private requests = 0;

	/** The 429 when the window is full; otherwise the request is counted in. */
	enter(limit: RateLimit | undefined, now: number): Answer | undefined {
		if (!limit) return undefined;
		if (now - this.startedAt >= limit.windowMs) {
			this.startedAt = now;
			this.requests = 0;
		}
		if (this.requests >= limit.requests) {
			const seconds = Math.max(1, Math.ceil((this.startedAt + limit.windowMs - now) / 1000));
			return rateLimited(seconds);
		}
		this.requests++;
		return undefined;
	}

	clear(): void {
		this.startedAt = -Infinity;
	}
}

/** The account by default; a fresh value for each sandbox. */
function defaultSettings(): Settings {
	return {
		token: 'sandbox-token',
		agents: [
			{ number: '+15550001000', name: 'Reminder', placeholders: [] },
			{ number: '+15550002000', name: 'Collections', placeholders: ['name', 'amount'] },
			{ number: '+15550003000', sipId: 't-sales', name: 'Sales', placeholders: [] },
		],
		callerNumbers: ['+15550009999'],
		callingEnabled: true,
		accountLocked: false,
		dailyLimit: undefined,
		rateLimit: undefined,
		latencyMs: 0,
		pageParameter: 'page',
		dialAfterMs: 0,
		finishAfterMs: 0,
		alreadyPlacedStatus: 400,
		singleCallIds: true,
		callback: undefined,
	};
}

/** The settings among the options, with defaults for the rest. */
function settingsFrom(options: SandboxOptions): Settings {
	const settings = defaultSettings();
	for (const [name, value] of Object.entries(options) as Array<[string, unknown]>)
		if (Object.hasOwn(settings, name) && value !== undefined)
			Object.assign(settings, { [name]: value });
	return settings;
}

/** Everything that the account behind the API knows and remembers. */
export class Account {
	readonly settings: Settings;
	readonly records = new CallRecords();
	/** Every destination accepted for dialing, in order. */
	readonly journal: Dial[] = [];
	readonly rateWindow = new RateWindow();
	readonly destinationOutcome = new Map<string, DestinationOutcome>();
	readonly callErrors = new Map<string, string>();
	readonly faults: FaultPlan;
	readonly callbacks: Callbacks;
	readonly now: () => number;

	constructor({ seed = 1, now = Date.now, log, ...options }: SandboxOptions) {
		this.settings = settingsFrom(options);
		this.faults = new FaultPlan(seed);
		this.now = now;
		this.callbacks = new Callbacks(this.settings, now, log);
	}

	addBatch({ batchId, phones, agentNumber, ...delays }: ExistingBatch) {
		const { agents } = this.settings;
		const agent = agentNumber === undefined ? agents[0] : findAgent(agents, agentNumber);
		if (!agent) throw new Error(`There is no agent "${agentNumber}"`);
		const now = this.now();
		const batch = this.records.addBatch(agent, now, batchId);
		for (const phone of phones)
			this.records.addRecord(batch, phone, now, { ...this.settings, ...delays });
		return { batchId: batch.id, consentIds: batch.records.map(({ id }) => id) };
	}

	reset(): void {
		this.records.clear();
		this.journal.length = 0;
		this.rateWindow.clear();
		this.destinationOutcome.clear();
		this.callErrors.clear();
		this.faults.clear();
		this.callbacks.clear();
	}
}
