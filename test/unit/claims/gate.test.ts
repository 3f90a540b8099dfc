import { leaveMark, openGate } from '../../../nodes/OutboundCalls/claims/gate';
import { lookUp } from '../../../nodes/OutboundCalls/claims/lookUp';
import {
	markOf,
	memorySetting,
	OPENED,
	personKey,
	usedKey,
} from '../../../nodes/OutboundCalls/domain/memoryKeys';
import { HostStore } from './hostStore';

const NODE = 'workflow node';
const byInvoice = memorySetting('={{ $json.invoice }}')!;
const withSetting = (setting: typeof byInvoice | undefined) => ({ setting, node: NODE });

/** Nobody shares the memory otherwise, and no dry run was made in the same execution. */
const gateOf = async (
	keys: ReturnType<HostStore['open']>,
	setting: Parameters<typeof openGate>[2],
): Promise<number> => await openGate(keys, new HostStore().open(), setting, []);

describe('G8 Live needs a dry run', () => {
	it('after a process died while a dry run noted the new setting, going back to the former one needs another dry run', async () => {
		const store = new HostStore();
		await leaveMark(store.open(), withSetting(undefined));
		await leaveMark(store.open(), withSetting(byInvoice));
		// As the process left it: both notes stand there.
		store.keys.push(usedKey(NODE, undefined));
		await leaveMark(store.open(), withSetting(byInvoice));
		await gateOf(store.open(), withSetting(byInvoice));
		await expect(gateOf(store.open(), withSetting(undefined))).rejects.toThrow(
			'The option Remember People By was changed',
		);
	});

	it('after somebody emptied the list during a run and the write that would have noticed it was reported as lost', async () => {
		const store = new HostStore();
		await leaveMark(store.open(), withSetting(undefined));
		await store.open().record(Array.from({ length: 30 }, (_, n) => `person ${n}`));
		const keys = store.open();
		await gateOf(keys, withSetting(undefined));
		store.keys = [];
		store.breaks = () => 'after';
		await expect(keys.record(['person 31'])).rejects.toThrow('connection terminated');
		expect(store.keys).toContain(OPENED);
		store.breaks = () => undefined;
		await expect(gateOf(store.open(), withSetting(undefined))).rejects.toThrow(
			'No dry run or test was made',
		);
	});

	it('after a dry run of another setting asked who was called, and that write was reported as lost', async () => {
		const store = new HostStore();
		await leaveMark(store.open(), withSetting(undefined));
		const people = [1, 2, 3].map((n) => personKey(`+1555010100${n}`));
		await store.open().record(people.slice(0, 1));
		store.breaks = () => (store.asked.includes(markOf(byInvoice)) ? 'after' : undefined);
		await expect(
			lookUp(store.open(), new Set([...people, markOf(byInvoice)]), undefined),
		).rejects.toThrow('connection terminated');
		store.breaks = () => undefined;
		// A copy of the node has made no dry run of its own.
		await expect(
			gateOf(store.open(), { setting: byInvoice, node: 'workflow copy' }),
		).rejects.toThrow('The option Remember People By was changed');
	});

	it('after a dry run whose own mark was reported as lost: it said that another one is needed', async () => {
		const store = new HostStore();
		await leaveMark(store.open(), withSetting(undefined));
		store.breaks = () => (store.asked.includes(markOf(byInvoice)) ? 'after' : undefined);
		await expect(leaveMark(store.open(), withSetting(byInvoice))).rejects.toThrow(
			'connection terminated',
		);
		store.breaks = () => undefined;
		await expect(gateOf(store.open(), withSetting(byInvoice))).rejects.toThrow(
			'No dry run or test was made',
		);
	});
});
