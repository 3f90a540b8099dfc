import type { FastifyInstance } from 'fastify';
import type { Account } from './account';
import { admit, type Destination, type Placement } from './admission';
import { dial, takeOutcome } from './dialing';
import { type CallRecord, callSidOf } from './records';
import { invalid, notCarriedOut, Refusal } from './refusals';
import { bulkSchema, callSchema } from './schema';
import type { DestinationOutcome } from './types';

type PromptVariables = Record<string, string>;

interface CallBody {
	destination: string;
	agent_number: string;
	caller_number?: string;
	prompt_variables?: PromptVariables;
	metadata?: { external_call_id?: string };
}

interface BulkBody {
	destinations: Array<string | { phone: string; prompt_variables?: PromptVariables }>;
	agent_number: string;
	caller_number?: string;
	prompt_variables?: PromptVariables;
}

export interface BulkResult {
	destination: string;
	success: boolean;
	consent_id: number;
	call_sid: string | null;
	status: string;
	error: string | null;
}

export interface BulkAnswer {
	success: boolean;
	batch_id: string;
	total: number;
	succeeded: number;
	failed: number;
	results: BulkResult[];
}

/** POST /calls and POST /calls/bulk. */
export function placingRoutes(api: FastifyInstance, account: Account): void {
	api.post<{ Body: CallBody }>(
		'/calls',
		{ schema: { body: callSchema }, config: { route: 'call' } },
		(request, reply) => {
			const { metadata } = request.body;
			const externalCallId = metadata?.external_call_id;
			const placement: Placement = {
				agentNumber: request.body.agent_number,
				callerNumber: request.body.caller_number,
				destinations: [
					{ phone: request.body.destination, variables: request.body.prompt_variables ?? {} },
				],
				externalCallId,
			};
			const agent = admit(placement, account.settings, account.journal.length);
			const outcome = takeOutcome(account, request.body.destination);
			if (outcome) throw new Refusal(notCarriedOut(outcome.error));
			const { batch, records } = dial(account, request, placement, agent, [undefined]);
			const [record] = records;
			return reply.code(201).send({
				success: true,
				call_id: record?.callId,
				...(account.settings.singleCallIds ? { batch_id: batch.id, consent_id: record?.id } : {}),
				status: 'initiated',
				...(externalCallId === undefined ? {} : { external_call_id: externalCallId }),
			});
		},
	);

	api.post<{ Body: BulkBody }>(
		'/calls/bulk',
		{ schema: { body: bulkSchema }, config: { route: 'bulk' } },
		(request, reply) => {
			const placement: Placement = {
				agentNumber: request.body.agent_number,
				callerNumber: request.body.caller_number,
				destinations: uniqueDestinations(request.body),
			};
			const agent = admit(placement, account.settings, account.journal.length);
			const outcomes = placement.destinations.map(({ phone }) => takeOutcome(account, phone));
			const { batch, records } = dial(account, request, placement, agent, outcomes);
			const now = account.now();
			const results = records.map((record, n) => bulkResult(record, outcomes[n], now));
			const succeeded = results.filter(({ success }) => success).length;
			const answer: BulkAnswer = {
				success: true,
				batch_id: batch.id,
				total: results.length,
				succeeded,
				failed: results.length - succeeded,
				results,
			};
			return reply.code(201).send(answer);
		},
	);
}

/** The first of several equal numbers counts, with its variables. */
function uniqueDestinations({ destinations, prompt_variables: shared }: BulkBody): Destination[] {
	const unique = new Map<string, Destination>();
	for (const destination of destinations) {
		const { phone, prompt_variables: own } =
			typeof destination === 'string'
				? { phone: destination, prompt_variables: undefined }
				: destination;
		if (shared && own)
			throw new Refusal(
				invalid('Shared prompt_variables cannot be combined with per-destination prompt_variables'),
			);
		if (!unique.has(phone)) unique.set(phone, { phone, variables: own ?? shared ?? {} });
	}
	return [...unique.values()];
}

function bulkResult(
	record: CallRecord,
	outcome: DestinationOutcome | undefined,
	now: number,
): BulkResult {
	return {
		destination: record.phone,
		success: !outcome,
		consent_id: record.id,
		call_sid: callSidOf(record, now),
		status: outcome?.status ?? 'initiated',
		error: outcome?.error ?? null,
	};
}
