import { leaveMark, openGate } from '../../../nodes/OutboundCalls/claims/gate';
import { memorySetting, OPENED, usedKey } from '../../../nodes/OutboundCalls/domain/memoryKeys';
import { HostStore } from './hostStore';

const NODE = 'workflow node';
const byInvoice = memorySetting('={{ $json.invoice }}')!;
const withSetting = (setting: typeof byInvoice | undefined) => ({ setting, node: NODE });

describe('G8 Live needs a dry run', () => {
	it('after a process died while a dry run noted the new setting, going back to the former one needs another dry run', async () => {
		const store = new HostStore();
		await leaveMark(store.open(), withSetting(undefined));
		await leaveMark(store.open(), withSetting(byInvoice));
		// As the process left it: both notes stand there.
		store.keys.push(usedKey(NODE, undefined));
		await leaveMark(store.open(), withSetting(byInvoice));
		await openGate(store.open(), withSetting(byInvoice));
		await expect(openGate(store.open(), withSetting(undefined))).rejects.toThrow('Remember People By was changed');
	});

	it('after somebody emptied the list during a run and the write that would have noticed it was reported as lost', async () => {
		const store = new HostStore();
		await leaveMark(store.open(), withSetting(undefined));
		await store.open().record(Array.from({ length: 30 }, (_, n) => `person ${n}`));
		const keys = store.open();
		await openGate(keys, withSetting(undefined));
		store.keys = [];
		store.breaks = () => 'after';
		await expect(keys.record(['person 31'])).rejects.toThrow('connection terminated');
		expect(store.keys).toContain(OPENED);
		store.breaks = () => undefined;
		await expect(openGate(store.open(), withSetting(undefined))).rejects.toThrow('No dry run or test was made');
	});
});
