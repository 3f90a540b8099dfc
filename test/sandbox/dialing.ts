import type { FastifyRequest } from 'fastify';
import type { Account } from './account';
import type { Placement } from './admission';
import { callSidOf } from './records';
import type { Agent, DestinationOutcome } from './types';

/** The reason if this destination is not dialed this time; counts down its `times`. */
export function takeOutcome(
	{ destinationOutcome }: Account,
	phone: string,
): DestinationOutcome | undefined {
	const outcome = destinationOutcome.get(phone);
	if (outcome?.times === undefined) return outcome;
	if (outcome.times <= 0) return undefined;
	destinationOutcome.set(phone, { ...outcome, times: outcome.times - 1 });
	return outcome;
}

/** Makes the batch and its call records, and dials every destination without an outcome. */
export function dial(
	account: Account,
	request: FastifyRequest,
	{ agentNumber, callerNumber, destinations, externalCallId }: Placement,
	agent: Agent,
	outcomes: Array<DestinationOutcome | undefined>,
) {
	const { settings, records, journal, callbacks } = account;
	const at = account.now();
	const batch = records.addBatch(agent, at);
	destinations.forEach(({ phone, variables }, n) => {
		const error = outcomes[n]?.error;
		const record = records.addRecord(batch, phone, at, settings, error);
		if (error !== undefined) return;
		record.callError = account.callErrors.get(phone);
		request.dialedPhones.push(phone);
		journal.push({
			at,
			phone,
			agentNumber,
			...(callerNumber === undefined ? {} : { callerNumber }),
			variables: { ...variables },
			batchId: batch.id,
			consentId: record.id,
			get callSid() {
				return callSidOf(record, account.now());
			},
			...(externalCallId === undefined ? {} : { externalCallId }),
			requestIndex: request.seen?.index ?? -1,
		});
		callbacks.expect(record, externalCallId);
	});
	return { batch, records: batch.records };
}
