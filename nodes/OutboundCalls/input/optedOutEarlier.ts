import type { Names } from '../domain/rightToCall';
import type { Execution } from '../execution/execution';

/**
 * Who opted out earlier in this execution: in other rounds of a loop, or in other uses of the tool by an agent; undefined if nobody did.
 * Those of this round are kept for the next ones. A retry reads its round's rows once more, and what they say then counts.
 */
export function optedOutEarlier({ state, round, isTool }: Execution, inThisRound: Iterable<string>): Names | undefined {
	const names = [...inThisRound];
	if (!state.outboundCallsOptedOut && names.length === 0) return undefined;
	const { rounds } = (state.outboundCallsOptedOut ??= { round, rounds: {} });
	// Of a tool, several uses may be under way in one round.
	if (state.outboundCallsOptedOut.round === round && !isTool) {
		for (const [key, saidIn] of Object.entries(rounds)) if (saidIn === round) Reflect.deleteProperty(rounds, key);
	}
	state.outboundCallsOptedOut.round = round;
	for (const name of names) rounds[` ${name}`] ??= round;
	return { has: (name) => rounds[` ${name}`] !== undefined };
}
