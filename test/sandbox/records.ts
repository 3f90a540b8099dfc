import { randomUUID } from 'node:crypto';
import type { Agent, Settings } from './types';

/** A call record ("consent"). Its progress is read off its times, so that no record needs a timer. */
export interface CallRecord {
	id: number;
	callId: string;
	callSid: string;
	phone: string;
	createdAt: number;
	dialAt: number;
	finishAt: number;
	cancelledAt?: number;
	/** why it was not dialed */
	error?: string;
	/** why it ends without a conversation although it was dialed */
	callError?: string;
}

export interface Batch {
	id: string;
	agent: Agent;
	createdAt: number;
	records: CallRecord[];
}

export type Progress = 'pending' | 'cancelled' | 'notDialed' | 'dialed' | 'finished';

export function progressOf(record: CallRecord, now: number): Progress {
	if (record.cancelledAt !== undefined) return 'cancelled';
	if (record.error !== undefined) return 'notDialed';
	if (now >= record.finishAt) return 'finished';
	return now >= record.dialAt ? 'dialed' : 'pending';
}

export function callSidOf(record: CallRecord, now: number): string | null {
	const progress = progressOf(record, now);
	return progress === 'dialed' || progress === 'finished' ? record.callSid : null;
}

type Delays = Pick<Settings, 'dialAfterMs' | 'finishAfterMs'>;

export class CallRecords {
	private readonly batches = new Map<string, Batch>();
	private readonly records = new Map<number, CallRecord>();
	private lastId = 1000;

	addBatch(agent: Agent, now: number, id: string = randomUUID()): Batch {
		const batch = { id, agent, createdAt: now, records: [] };
		this.batches.set(batch.id, batch);
		return batch;
	}

	addRecord(batch: Batch, phone: string, now: number, delays: Delays, error?: string): CallRecord {
		const id = ++this.lastId;
		const dialAt = now + delays.dialAfterMs;
		const record: CallRecord = {
			id,
			callId: randomUUID(),
			callSid: `CA${String(id).padStart(12, '0')}`,
			phone,
			createdAt: now,
			dialAt,
			finishAt: dialAt + delays.finishAfterMs,
			error,
		};
		batch.records.push(record);
		this.records.set(id, record);
		return record;
	}

	batch(id: string): Batch | undefined {
		return this.batches.get(id);
	}

	record(id: number): CallRecord | undefined {
		return this.records.get(id);
	}

	/** Ids continue after a reset, so that an old id cannot name a new record. */
	clear(): void {
		this.batches.clear();
		this.records.clear();
	}
}
