import {
	type CallOutcome,
	notPlaced,
	outcomeOf,
} from '../../../nodes/OutboundCalls/domain/callOutcome';
import type { Row } from '../../../nodes/OutboundCalls/domain/row';
import { type EndOfRun, rowOutcomes } from '../../../nodes/OutboundCalls/domain/endOfRun';
import { deduplicate, type Duplicates } from '../../../nodes/OutboundCalls/domain/sharing';
import { row } from './rows';

const CALLED = outcomeOf({
	status: 'initiated',
	reason: null,
	success: true,
	answer: { call_sid: 'CA1' },
});
const [a, b] = ['+15551', '+15552'];

/** What became of the last of these rows, when the first one came to `first`. */
const last = (
	rows: Array<Partial<Row>>,
	first: CallOutcome | undefined,
	more: Partial<EndOfRun> = {},
	duplicates: Duplicates = 'callOnce',
) => {
	const all = rows.map((each, position) => row(position, each));
	const shared = deduplicate(all, duplicates);
	const placed = new Map(first ? [[0, first]] : []);
	return rowOutcomes({
		shared,
		duplicates,
		placed,
		spoken: new Map(),
		blocked: new Map(),
		isStopped: false,
		problemOf: () => undefined,
		...more,
	})(all.at(-1)!);
};

describe('what becomes of a row', () => {
	it('has its own outcome', () => {
		expect(last([{}], CALLED)).toBe(CALLED);
	});

	it('that must not be called says why, also where an earlier try called somebody', () => {
		const blocked = notPlaced('do_not_call', 'Opted out');
		expect(last([{}], CALLED, { blocked: new Map([[0, blocked]]) })).toBe(blocked);
	});

	it('of a dry run would be called', () => {
		expect(last([{ isDry: true }], undefined)).toMatchObject({
			status: 'dry_run',
			called: 'no',
			reason: null,
		});
	});

	it.each([
		[
			false,
			'The run ended before this row was sent. Nobody was called for it, and a later run can call it.',
		],
		[
			true,
			'The execution was stopped before this row was sent. Nobody was called for it, and a later run can call it.',
		],
	])('that had no turn says what ended the run (stopped: %s)', (isStopped, reason) => {
		expect(last([{}], undefined, { isStopped })).toMatchObject({
			status: 'refused',
			called: 'no',
			reach: 'run',
			notReached: true,
			reason,
		});
	});

	it('names what kept the run from beginning', () => {
		const problemOf = () => ({ message: 'The token is wrong', remedy: 'Copy it again.' });
		expect(last([{}], undefined, { problemOf })).toMatchObject({
			status: 'refused',
			reason: 'The token is wrong. Copy it again.',
		});
	});
});

describe('what becomes of a row that shares a call', () => {
	it.each<[string, Array<Partial<Row>>, CallOutcome, Duplicates, Partial<CallOutcome>]>([
		[
			'a duplicate shares it',
			[{ destination: a }, { destination: a }],
			CALLED,
			'callOnce',
			{ status: 'duplicate', called: 'yes', reason: 'Same number as row 1' },
		],
		[
			'other words were not spoken',
			[{ destination: a }, { destination: a, variables: { name: 'Ada' } }],
			CALLED,
			'callOnce',
			{
				status: 'same_number',
				called: 'other_row',
				reason:
					'Same number as row 1, with other prompt variables. To call for each row, set Duplicates to Call Each Row',
			},
		],
		...[
			notPlaced('already_called', 'An earlier run called this person.'),
			notPlaced('not_allowed', 'Germany is not chosen.'),
			notPlaced('do_not_call', 'On the Do Not Call list'),
			notPlaced('limit_reached', 'One call per day.', 'person'),
			notPlaced('refused', 'The token is wrong.'),
		].map((first): [string, Array<Partial<Row>>, CallOutcome, Duplicates, Partial<CallOutcome>] => [
			`other words are no duplicate where the number is not called: ${first.status}`,
			[{ destination: a }, { destination: a, variables: { name: 'Ada' } }],
			first,
			'callOnce',
			{ status: first.status, reason: first.reason, called: 'no' },
		]),
		[
			'what the API said of a number that it did not dial, it did not say of other words',
			[{ destination: a }, { destination: a, variables: { name: 'Ada' } }],
			outcomeOf({
				status: 'failed',
				reason: 'Line busy',
				success: false,
				answer: { consent_id: 7, call_sid: null },
			}),
			'callOnce',
			{
				status: 'same_number',
				called: 'no',
				success: false,
				reason: 'Same number as row 1, which was not dialed: line busy',
			},
		],
		[
			'nobody knows of a duplicate what nobody knows of its first row',
			[{ destination: a }, { destination: a }],
			notPlaced('unknown', 'No answer.'),
			'callOnce',
			{ status: 'duplicate', called: 'maybe' },
		],
		[
			'the same person under another number was called',
			[
				{ destination: a, callOnceKey: 'x' },
				{ destination: b, callOnceKey: 'x' },
			],
			CALLED,
			'callOnce',
			{
				status: 'already_called',
				called: 'no',
				reason:
					'Same person as row 1 (option Remember People By), with another number, so nobody is called for this row. If they are two people, give this row another value there',
			},
		],
		[
			'where each row is called, rows that share a call share a key',
			[
				{ destination: a, callOnceKey: 'x' },
				{ destination: a, callOnceKey: 'x', agentNumber: 't-sales' },
			],
			CALLED,
			'callEach',
			{
				status: 'same_number',
				reason:
					'Same person (option Remember People By) as row 1, with another agent. To call for each row, let Remember People By differ',
			},
		],
		[
			'what ended the run holds for it',
			[
				{ destination: a, callOnceKey: 'x' },
				{ destination: b, callOnceKey: 'x' },
			],
			notPlaced('refused', 'The token is wrong.'),
			'callOnce',
			{ status: 'refused', reason: 'The token is wrong.' },
		],
		[
			'a reason of the first row alone leaves it out',
			[{ destination: a }, { destination: a }],
			notPlaced('refused', 'A placeholder is missing.', 'row'),
			'callOnce',
			{
				status: 'refused',
				reason:
					'The run ended before this row was sent. Nobody was called for it, and a later run can call it.',
			},
		],
	])('%s', (_name, rows, first, duplicates, expected) => {
		expect(last(rows, first, {}, duplicates)).toMatchObject(expected);
	});
});
