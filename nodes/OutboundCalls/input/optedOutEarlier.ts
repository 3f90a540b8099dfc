import { isNumberName } from '../domain/phone/numbersIn';
import type { Names } from '../domain/rightToCall';
import type { Execution } from '../execution/execution';

/**
 * Who opted out earlier in this execution: in other rounds of a loop, in other uses of the tool by an agent, or in another node; undefined
 * if nobody did. Those of this round are kept for the next ones. A retry reads its round's rows once more, and what they say then counts.
 */
export function optedOutEarlier({ flow, node, round, isTool }: Execution, inThisRound: Iterable<string>): Names | undefined {
	const names = [...inThisRound];
	if (!flow.outboundCallsOptedOut && names.length === 0) return undefined;
	const ofNodes = (flow.outboundCallsOptedOut ??= {});
	const own = (ofNodes[node] ??= { round, rounds: {} });
	// Of a tool, several uses may be under way in one round.
	if (own.round === round && !isTool) {
		for (const [key, saidIn] of Object.entries(own.rounds)) if (saidIn === round) Reflect.deleteProperty(own.rounds, key);
	}
	own.round = round;
	for (const name of names) own.rounds[` ${name}`] ??= round;
	const inRounds = ({ rounds }: typeof own, name: string): boolean => rounds[` ${name}`] !== undefined;
	// What other nodes remember people by may stand for somebody else here. A number is the same person everywhere.
	return { has: (name) => inRounds(own, name) || (isNumberName(name) && Object.values(ofNodes).some((other) => inRounds(other, name))) };
}
