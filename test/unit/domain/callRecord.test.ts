import {
	isReached,
	isSettled,
	type WaitUntil,
} from '../../../nodes/OutboundCalls/batches/callRecord';

const open = {
	id: 1,
	phone: '+15551110001',
	status: 'pending',
	auto_call_sid: null,
	auto_call_error: null,
	conversation_id: null,
};

describe('whether a call record ends the wait, and whether the person was reached', () => {
	it.each<[string, object, Record<WaitUntil, boolean>, boolean | null]>([
		['is not dialed yet', {}, { dialed: false, finished: false }, null],
		[
			'is dialed',
			{ auto_call_sid: 'CA1', status: 'called' },
			{ dialed: true, finished: false },
			null,
		],
		[
			'has its conversation',
			{ auto_call_sid: 'CA1', conversation_id: 7 },
			{ dialed: true, finished: true },
			true,
		],
		[
			'has a conversation with the number 0',
			{ auto_call_sid: 'CA1', conversation_id: 0 },
			{ dialed: true, finished: true },
			true,
		],
		[
			'could not be dialed',
			{ auto_call_error: 'No such number' },
			{ dialed: true, finished: true },
			false,
		],
		[
			'was dialed, and then failed',
			{ auto_call_sid: 'CA1', auto_call_error: 'Hung up' },
			{ dialed: true, finished: true },
			false,
		],
		[
			'has its conversation and failed then',
			{ auto_call_sid: 'CA1', conversation_id: 7, auto_call_error: 'Hung up' },
			{ dialed: true, finished: true },
			true,
		],
		[
			'has its conversation and was cancelled then',
			{ conversation_id: 7, status: 'cancelled' },
			{ dialed: true, finished: true },
			true,
		],
		[
			'has a conversation with a text as its ID',
			{ conversation_id: 'c7' },
			{ dialed: false, finished: true },
			true,
		],
		['is cancelled', { status: 'cancelled' }, { dialed: true, finished: true }, false],
		[
			'has a status that the API does not show',
			{ status: 'teleported' },
			{ dialed: false, finished: false },
			null,
		],
		[
			'has empty texts',
			{ auto_call_sid: '', auto_call_error: '', conversation_id: '' },
			{ dialed: false, finished: false },
			null,
		],
		[
			'lacks the fields',
			{ auto_call_sid: undefined, auto_call_error: undefined, conversation_id: undefined },
			{ dialed: false, finished: false },
			null,
		],
	])('one that %s', (_, more, expected, reached) => {
		const record = { ...open, ...more };
		expect({
			dialed: isSettled(record, 'dialed'),
			finished: isSettled(record, 'finished'),
		}).toEqual(expected);
		expect(isReached(record)).toBe(reached);
	});

	it.each<WaitUntil>(['dialed', 'finished'])('an empty record does not (%s)', (until) => {
		expect(isSettled({}, until)).toBe(false);
	});

	it('of an empty record nothing is known', () => {
		expect(isReached({})).toBeNull();
	});
});
