import type { IDataObject } from 'n8n-workflow';
import { withoutRepeats } from '../../../nodes/OutboundCallsTrigger/callback';

let nodes = 0;
const newNode = () => ({ staticData: {} as IDataObject, place: `workflow ${++nodes}` });
type Node = ReturnType<typeof newNode>;

/** Whether the callback came before. */
const isRepeat = (node: Node, callId: string | undefined, item: unknown): boolean =>
	withoutRepeats(node, [{ callId, item: item as IDataObject }]).length === 0;

it('the same content of the same call is a repeat', () => {
	const node = newNode();
	expect(isRepeat(node, 'c-1', { call_id: 'c-1', a: { b: 1, c: 2 } })).toBe(false);
	expect(isRepeat(node, 'c-1', { call_id: 'c-1', a: { b: 1, c: 2 } })).toBe(true);
});

it.each<[string, string | undefined, unknown, unknown]>([
	['other content of the same call', 'c-1', { state: 'ringing' }, { state: 'ended' }],
	['one more field', 'c-1', { a: 1 }, { a: 1, b: undefined, c: 2 }],
	['a list in another order', 'c-1', [1, 2], [2, 1]],
	['a list for an object', 'c-1', { a: 1 }, [['a', 1]]],
	['a text for a number', 'c-1', { a: 1 }, { a: '1' }],
	['a callback without a call’s ID', undefined, { a: 1 }, { a: 1 }],
])('%s is none', (_what, callId, one, other) => {
	const node = newNode();
	expect([isRepeat(node, callId, one), isRepeat(node, callId, other)]).toEqual([false, false]);
});

it('the same content of another call, or at another node, is none', () => {
	const node = newNode();
	expect([
		isRepeat(node, 'c-1', {}),
		isRepeat(node, 'c-2', {}),
		isRepeat(newNode(), 'c-1', {}),
	]).toEqual([false, false, false]);
});

it('of one delivery, the same callback comes once', () => {
	const one = () => ({ callId: 'c-1', item: { a: 1 } });
	expect(withoutRepeats(newNode(), [one(), one()])).toHaveLength(1);
});

it('what is stored outlives the process, holds digests only and no more than 1,000 of them', () => {
	const node = newNode();
	const item = { transcript: 'Good morning, my name is Ada' };
	const all = Array.from({ length: 1_100 }, (_, n) => ({ callId: `call-${n}`, item }));
	expect(withoutRepeats(node, all)).toHaveLength(1_100);
	const stored = node.staticData.callIds as string[];
	expect(stored).toHaveLength(1_000);
	expect(stored.filter((digest) => !/^[\w+/]{22}$/.test(digest))).toEqual([]);
	const restarted = { staticData: node.staticData, place: 'after a restart' };
	expect(isRepeat(restarted, 'call-1099', item)).toBe(true);
	expect(isRepeat(restarted, 'call-0', item)).toBe(false);
});
