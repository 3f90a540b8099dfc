import { leaveMark, openGate } from '../../../nodes/OutboundCalls/claims/gate';
import * as unseenMarks from '../../../nodes/OutboundCalls/claims/unseenMarks';
import type { Execution } from '../../../nodes/OutboundCalls/execution/execution';
import { HostStore } from './hostStore';

const SETTING = { setting: undefined, node: 'workflow node' };

const executionOf = (store: HostStore, id: string, mode: string): Execution =>
	({ id, mode, flow: {}, keyStore: () => store.of() }) as unknown as Execution;

async function dryRun(store: HostStore, execution: Execution): Promise<void> {
	const { marks, fresh } = await leaveMark(store.open(), SETTING);
	unseenMarks.noteMarks(execution, store.of(), marks, fresh);
}

/** What another process would do. */
function restarted(): typeof unseenMarks {
	let module: typeof unseenMarks | undefined;
	jest.isolateModules(() => {
		module = jest.requireActual('../../../nodes/OutboundCalls/claims/unseenMarks');
	});
	return module!;
}

const isOpen = async (store: HostStore): Promise<boolean> =>
	await openGate(store.open(), new HostStore().open(), SETTING, []).then(
		() => true,
		() => false,
	);

it.each([
	['the same process', () => unseenMarks],
	['a process that was started while it waited', restarted],
])(
	'G8 a live node behind a Wait takes back what a dry run of its execution has left, in %s',
	async (_, process) => {
		const store = new HostStore();
		const execution = executionOf(store, '1', 'webhook');
		await dryRun(store, execution);
		expect(await isOpen(store)).toBe(true);
		await process().takeBackMarks(execution);
		expect(await isOpen(store)).toBe(false);
	},
);

it('G8 where the database cannot be used just then, it takes them back before anything else, and the next execution does not go by them', async () => {
	const store = new HostStore();
	const execution = executionOf(store, '1', 'webhook');
	await dryRun(store, execution);
	store.outOfOrder = true;
	await unseenMarks.takeBackMarks(execution);
	store.outOfOrder = false;
	const next = executionOf(store, '2', 'webhook');
	expect(await isOpen(store)).toBe(false);
	await dryRun(store, next);
	expect(unseenMarks.unseenMarks(next, store.of())).not.toEqual([]);
});

it('G8 a dry run that somebody has made by hand meanwhile counts', async () => {
	const store = new HostStore();
	const execution = executionOf(store, '1', 'webhook');
	await dryRun(store, execution);
	await dryRun(store, executionOf(store, '2', 'manual'));
	await unseenMarks.takeBackMarks(execution);
	expect(await isOpen(store)).toBe(true);
});

it('G8 a dry run counts that is no part of an execution, as a tool that n8n runs by itself', () => {
	const store = new HostStore();
	expect(
		unseenMarks.isBehindLive({
			...executionOf(store, '1', 'trigger'),
			id: undefined,
		} as unknown as Execution),
	).toBe(false);
	expect(
		unseenMarks.isBehindLive({
			...executionOf(store, '1', 'trigger'),
			flow: { outboundCallsLive: '1' },
		}),
	).toBe(true);
});
