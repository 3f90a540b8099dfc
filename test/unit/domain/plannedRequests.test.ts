import { plannedRequests } from '../../../nodes/OutboundCalls/domain/plannedRequests';
import { deduplicate } from '../../../nodes/OutboundCalls/domain/sharing';
import { row } from './rows';

const [a, b, c] = ['+15551', '+15552', '+15553'];

it('says of each row that would be called in which request, from 1', () => {
	const rows = [row(0, { destination: a }), row(1, { destination: b }), row(2, { destination: c })];
	expect(plannedRequests(rows, deduplicate(rows, 'callOnce'), 2)).toEqual(
		new Map([
			[0, 1],
			[1, 1],
			[2, 2],
		]),
	);
});

it('a row that shares a call is part of its request, and one with other words of none', () => {
	const rows = [
		row(0, { destination: a }),
		row(1, { destination: a }),
		row(2, { destination: a, variables: { name: 'Ada' } }),
	];
	expect(plannedRequests(rows, deduplicate(rows, 'callOnce'), 10)).toEqual(
		new Map([
			[0, 1],
			[1, 1],
		]),
	);
});

it('rows beyond a limit are part of none', () => {
	const rows = [row(0, { destination: a }), row(1, { destination: b }), row(2, { destination: b })];
	const { callers, followers } = deduplicate(rows, 'callOnce');
	expect(plannedRequests(rows, { callers: callers.slice(0, 1), followers }, 10)).toEqual(
		new Map([[0, 1]]),
	);
});
