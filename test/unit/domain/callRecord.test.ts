import {
	isReached,
	isSettled,
	type WaitUntil,
} from '../../../nodes/OutboundCalls/domain/callRecord';

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
			'could not be dialed',
			{ auto_call_error: 'No such number' },
			{ dialed: true, finished: true },
			false,
		],
		[
			'has its conversation and failed then',
			{ auto_call_sid: 'CA1', conversation_id: 7, auto_call_error: 'Hung up' },
			{ dialed: true, finished: true },
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
	])('one that %s', (_, more, expected, reached) => {
		const record = { ...open, ...more };
		expect({
			dialed: isSettled(record, 'dialed'),
			finished: isSettled(record, 'finished'),
		}).toEqual(expected);
		expect(isReached(record)).toBe(reached);
	});
});
