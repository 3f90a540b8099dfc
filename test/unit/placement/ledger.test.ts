import type { CallOutcome } from '../../../nodes/OutboundCalls/domain/outcome';
import type { NodeState } from '../../../nodes/OutboundCalls/execution/nodeState';
import { Ledger } from '../../../nodes/OutboundCalls/placement/ledger';
import { row } from '../domain/rows';

const success = { reason: undefined, success: true };
const initiated: CallOutcome = { status: 'initiated', ...success, call: 'placed' };
const ada = row(0);
const open = (state: NodeState, more: { runIndex?: number; isTool?: boolean } = {}) =>
	new Ledger(state, { runIndex: 0, isTool: false, ...more });

it('G4 whom a request had left for when the run ended may have been called', () => {
	const state: NodeState = {};
	open(state).markSent([ada]);
	const again = open(JSON.parse(JSON.stringify(state)) as NodeState);
	expect([again.has(ada), again.outcomeOf(ada)?.status]).toEqual([true, 'unknown']);
});

it('G4 a later run in a loop calls them again, a later use of a tool does not', () => {
	for (const isTool of [false, true]) {
		const state: NodeState = {};
		open(state, { isTool }).record(ada, initiated);
		expect(open(state, { isTool, runIndex: 1 }).has(ada)).toBe(isTool);
	}
});
