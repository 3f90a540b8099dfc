import { type CallOutcome, nodeOutcome } from '../../../nodes/OutboundCalls/domain/outcome';
import type { NodeState } from '../../../nodes/OutboundCalls/execution/nodeState';
import { Ledger } from '../../../nodes/OutboundCalls/placement/ledger';
import { row } from '../domain/rows';

const success = { reason: undefined, success: true };
const initiated: CallOutcome = { status: 'initiated', ...success, call: 'placed' };
const ada = row(0);
const open = (state: NodeState, more: { runIndex?: number; isTool?: boolean } = {}) =>
	new Ledger(state, { runIndex: 0, isTool: false, ...more });

type Step = (ledger: Ledger) => void;
const sent: Step = (ledger) => ledger.markSent([ada]);
const called: Step = (ledger) => ledger.record(ada, initiated);
const undialed: Step = (ledger) =>
	ledger.record(ada, { ...nodeOutcome('refused', 'No'), status: 'failed' });

it.each<[string, Step[], string | undefined]>([
	['nobody called them', [], undefined],
	['the run ended before the answer', [sent], 'unknown'],
	['they were called', [sent, called], 'initiated'],
	['they certainly were not called', [sent, undialed], undefined],
	['the request was taken back', [sent, (ledger) => ledger.takeBack([ada])], undefined],
	['the output is final', [called, (ledger) => ledger.close()], undefined],
])('G4 %s', (_, steps, status) => {
	const state: NodeState = {};
	const ledger = open(state);
	for (const step of steps) step(ledger);
	const again = open(JSON.parse(JSON.stringify(state)) as NodeState);
	expect(again.outcomeOf(ada)?.status).toBe(status);
	expect(again.has(ada)).toBe(status !== undefined);
});

it('G4 a later run in a loop calls them again, a later use of a tool does not', () => {
	for (const isTool of [false, true]) {
		const state: NodeState = {};
		open(state, { isTool }).record(ada, initiated);
		expect(open(state, { isTool, runIndex: 1 }).has(ada)).toBe(isTool);
	}
});
