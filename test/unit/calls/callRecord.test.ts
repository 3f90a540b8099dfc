import {
	isSettled,
	type Reached,
	reachedOf,
	type WaitUntil,
} from '../../../nodes/OutboundCalls/calls/callRecord';

const NONE = { auto_call_sid: null, auto_call_error: null, conversation_id: null };
const EMPTY = { auto_call_sid: '', auto_call_error: '', conversation_id: '' };
const TALKED = { auto_call_sid: 'CA1', conversation_id: 7 };
const BOTH: WaitUntil[] = ['dialed', 'finished'];

it.each<[string, object, WaitUntil[], Reached]>([
	['is not dialed yet', {}, [], 'open'],
	['is dialed', { auto_call_sid: 'CA1', status: 'called' }, ['dialed'], 'open'],
	['has its conversation', TALKED, BOTH, 'yes'],
	['could not be dialed', { auto_call_error: 'No such number' }, BOTH, 'no'],
	['failed after its conversation', { ...TALKED, auto_call_error: 'Hung up' }, BOTH, 'yes'],
	['is cancelled', { status: 'cancelled' }, BOTH, 'no'],
	['has a status that the API does not show', { status: 'teleported' }, [], 'open'],
	['has empty texts', EMPTY, [], 'open'],
])('which waits a call record ends, and who was reached: it %s', (_, more, ends, reached) => {
	const record = { id: 1, phone: '+15551110001', status: 'pending', ...NONE, ...more };
	expect(BOTH.filter((until) => isSettled(record, until))).toEqual(ends);
	expect(reachedOf(record)).toBe(reached);
});
