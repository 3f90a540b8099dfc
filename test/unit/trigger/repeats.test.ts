import type { IDataObject } from 'n8n-workflow';
import { recallOrRemember } from '../../../nodes/OutboundCallsTrigger/callback';

let nodes = 0;
const newNode = () => ({ staticData: {} as IDataObject, place: `workflow ${++nodes}` });

it('the same content of the same call is a repeat, in whatever order its fields come', () => {
	const node = newNode();
	expect(recallOrRemember(node, 'c-1', { call_id: 'c-1', a: { b: 1, c: 2 } })).toBe(false);
	expect(recallOrRemember(node, 'c-1', { a: { c: 2, b: 1 }, call_id: 'c-1' })).toBe(true);
});

it.each<[string, string, unknown, unknown]>([
	['other content of the same call', 'c-1', { state: 'ringing' }, { state: 'ended' }],
	['one more field', 'c-1', { a: 1 }, { a: 1, b: undefined, c: 2 }],
	['a list in another order', 'c-1', [1, 2], [2, 1]],
	['a list for an object', 'c-1', { a: 1 }, [['a', 1]]],
	['a text for a number', 'c-1', { a: 1 }, { a: '1' }],
])('%s is none', (_what, callId, one, other) => {
	const node = newNode();
	expect([recallOrRemember(node, callId, one), recallOrRemember(node, callId, other)]).toEqual([
		false,
		false,
	]);
});

it('the same content of another call, or at another node, is none', () => {
	const node = newNode();
	expect([
		recallOrRemember(node, 'c-1', {}),
		recallOrRemember(node, 'c-2', {}),
		recallOrRemember(newNode(), 'c-1', {}),
	]).toEqual([false, false, false]);
});

it('what is stored outlives the process, holds digests only and no more than 1,000 of them', () => {
	const node = newNode();
	for (let n = 0; n < 1_100; n++)
		recallOrRemember(node, `call-${n}`, { transcript: 'Good morning, my name is Ada' });
	const stored = node.staticData.callIds as string[];
	expect(stored).toHaveLength(1_000);
	expect(stored.filter((digest) => !/^[\w+/]{22}$/.test(digest))).toEqual([]);
	const restarted = { staticData: node.staticData, place: 'after a restart' };
	expect(
		recallOrRemember(restarted, 'call-1099', { transcript: 'Good morning, my name is Ada' }),
	).toBe(true);
	expect(
		recallOrRemember(restarted, 'call-0', { transcript: 'Good morning, my name is Ada' }),
	).toBe(false);
});
