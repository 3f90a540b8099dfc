import { isOfRows } from '../domain/expression/parameter';
import type { NoCallDates } from '../domain/hours/noCallDates';
import { isNumberName, numbersIn } from '../domain/phone/numbersIn';
import { datesIn, type Names } from '../domain/rightToCall';
import type { CheckedRow } from '../domain/row';
import type { Execution } from '../execution/execution';
import type { SaidState } from '../execution/nodeState';

/**
 * What rows said of people earlier in this execution: in other rounds of a loop, or in other uses of the tool by an agent. What those of this round say is
 * kept for the next ones. A retry reads its round's rows once more, and what they say then counts.
 */
export function openRound(own: SaidState, { round, isTool }: Execution): SaidState {
	// Of a tool, several uses may be under way in one round.
	if (own.round === round && !isTool) {
		for (const [name, saidIn] of Object.entries(own.rounds))
			if (saidIn === round) Reflect.deleteProperty(own.rounds, name);
	}
	own.round = round;
	return own;
}

const ofThisNode = (ofNodes: Record<string, SaidState>, execution: Execution): SaidState =>
	openRound((ofNodes[execution.node] ??= { round: execution.round, rounds: {} }), execution);

/** What nodes have said in an execution before this one. No node has such a name. */
const BEFORE = 'before';

/** Learns who opted out in nodes that Execute step has not run again. Once is enough: later on, they say it here themselves. May be cut where it yields. */
export function* learnOptedOut({ flow, round, steps }: Execution): Generator<void, void> {
	if (flow.outboundCallsAskedBefore) return;
	const known = Object.keys(flow.outboundCallsOptedOut ?? {});
	const before = steps.optedOutBefore((id) => known.some((node) => node.endsWith(` ${id}`)));
	if (!before) return;
	const rounds: SaidState['rounds'] = {};
	for (const cell of before) {
		for (const name of numbersIn(cell, undefined)) rounds[` ${name}`] = round;
		yield;
	}
	flow.outboundCallsAskedBefore = true;
	if (before.length > 0) (flow.outboundCallsOptedOut ??= {})[BEFORE] = { round, rounds };
}

/** Who opted out earlier in this execution, in another node, too; undefined if nobody did. */
export function optedOutEarlier(
	execution: Execution,
	inThisRound: Iterable<string>,
): Names | undefined {
	const { flow, round } = execution;
	const names = [...inThisRound];
	if (!flow.outboundCallsOptedOut && names.length === 0) return undefined;
	const ofNodes = (flow.outboundCallsOptedOut ??= {});
	const own = ofThisNode(ofNodes, execution);
	for (const name of names) own.rounds[` ${name}`] ??= round;
	const inRounds = ({ rounds }: SaidState, name: string): boolean =>
		rounds[` ${name}`] !== undefined;
	// What other nodes remember people by may stand for somebody else here. A number is the same person everywhere.
	return {
		has: (name) =>
			inRounds(own, name) ||
			(isNumberName(name) && Object.values(ofNodes).some((other) => inRounds(other, name))),
	};
}

/** The no-call dates of a column that earlier rows of this node said of a name; undefined where they are none of a column, or nobody said any. */
export function datesEarlier(
	execution: Execution,
	rows: readonly CheckedRow[],
): ((name: string) => NoCallDates | undefined) | undefined {
	const { flow, parameters, round } = execution;
	if (!isOfRows(parameters.raw('options.noCallDates'))) return undefined;
	const said = rows.flatMap((row) => datesIn(row) ?? []).filter(({ dates }) => dates.size > 0);
	if (!flow.outboundCallsClosed && said.length === 0) return undefined;
	const own = ofThisNode((flow.outboundCallsClosed ??= {}), execution);
	const days = (own.days ??= {});
	const before = (name: string): NoCallDates | undefined =>
		own.rounds[name] === undefined ? undefined : new Set(days[name]);
	/** Many rows name the same days, which the host stores once as long as they are one list. */
	const lists = new Map<NoCallDates, readonly number[]>();
	for (const { names, dates } of said) {
		const list = lists.get(dates) ?? [...dates];
		lists.set(dates, list);
		for (const name of names.map((each) => ` ${each}`)) {
			const known = before(name);
			days[name] = known ? [...new Set([...known, ...list])] : list;
			own.rounds[name] ??= round;
		}
	}
	return (name) => before(` ${name}`);
}
