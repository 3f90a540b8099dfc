import { type CallOutcome, nodeOutcome } from '../../../nodes/OutboundCalls/domain/callOutcome';
import type { NodeState } from '../../../nodes/OutboundCalls/execution/nodeState';
import { Ledger } from '../../../nodes/OutboundCalls/placement/ledger';
import { row } from '../domain/rows';

const success = { reason: undefined, success: true };
const initiated: CallOutcome = { status: 'initiated', ...success, call: 'placed' };
const ada = row(0);
const open = (state: NodeState, more: { runIndex?: number; isTool?: boolean } = {}) =>
	new Ledger(state, { runIndex: 0, isTool: false, ...more });

it.each<[string, (ledger: Ledger) => void, string | undefined]>([
	['nobody called them', () => undefined, undefined],
	['the run ended before the answer', (ledger) => ledger.markSent([ada]), 'unknown'],
	[
		'they were called',
		(ledger) => {
			ledger.markSent([ada]);
			ledger.record(ada, initiated);
		},
		'initiated',
	],
	[
		'they certainly were not called',
		(ledger) => {
			ledger.markSent([ada]);
			ledger.record(ada, { ...nodeOutcome('refused', 'No'), status: 'failed' });
		},
		undefined,
	],
	[
		'the request was taken back',
		(ledger) => {
			ledger.markSent([ada]);
			ledger.takeBack([ada]);
		},
		undefined,
	],
	[
		'the output is final',
		(ledger) => {
			ledger.record(ada, initiated);
			ledger.close();
		},
		undefined,
	],
])('G4 %s', (_, happen, status) => {
	const state: NodeState = {};
	happen(open(state));
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
