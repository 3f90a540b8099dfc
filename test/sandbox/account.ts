import { findAgent } from './admission';
import { Callbacks } from './callback';
import { FaultPlan } from './faults';
import { RateWindow } from './rateLimit';
import { CallRecords } from './records';
import { settingsFrom } from './settings';
import type { Dial, DestinationOutcome, ExistingBatch, SandboxOptions, Settings } from './types';

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
