import type { IExecuteFunctions } from 'n8n-workflow';
import type { Names } from '../domain/rightToCall';
import { isTool } from '../execution/tool';

/** What the host keeps for us in the node's context, and writes into the execution's record. */
interface Kept {
	outboundCallsOptedOut?: {
		/** The round that was read last. */
		round: number;
		/** The first round that said so, by name. Each name has a blank before it, because a key may be one that objects have themselves. */
		rounds: Record<string, number>;
	};
}

/**
 * Who opted out earlier in this execution: in other rounds of a loop, or in other uses of the tool by an agent; undefined if nobody did.
 * Those of this round are kept for the next ones. A retry reads its round's rows once more, and what they say then counts.
 */
export function optedOutEarlier(context: IExecuteFunctions, inThisRound: Iterable<string>): Names | undefined {
	const node: Kept = context.getContext('node');
	const names = [...inThisRound];
	if (!node.outboundCallsOptedOut && names.length === 0) return undefined;
	const round = context.getWorkflowDataProxy(0).$runIndex as number;
	const { rounds } = (node.outboundCallsOptedOut ??= { round, rounds: {} });
	// Of a tool, several uses may be under way in one round.
	if (node.outboundCallsOptedOut.round === round && !isTool(context)) {
		for (const [key, saidIn] of Object.entries(rounds)) if (saidIn === round) Reflect.deleteProperty(rounds, key);
	}
	node.outboundCallsOptedOut.round = round;
	for (const name of names) rounds[` ${name}`] ??= round;
	return { has: (name) => rounds[` ${name}`] !== undefined };
}
