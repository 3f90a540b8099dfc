import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { phone, place } from './helpers/workflows';

const bench = workbench();
storeForEach();

it('G4 after a Retry the row that was called says so, not an earlier row of its person', async () => {
	const node = place({
		calledBefore: 'onceForEach',
		onceForEach: '={{ $json.appointment }}',
		options: { parallelRequests: 1 },
	});
	const old = [1, 2].map((n) => ({ phone: phone(n), appointment: 'old' }));
	await bench.run({ ...node, mode: 'dryRun' }, old);
	await bench.run(node, old);
	// The first new appointment is called, the second is lost.
	bench.sandbox.fault({ kind: 'gateway', route: 'call', after: 1, times: 1 });
	const rows = [...old, ...[1, 2].map((n) => ({ phone: phone(n), appointment: 'new' }))];
	const broken = await bench.run(node, rows);
	expect(broken.error).toBeDefined();
	const retried = await bench.run(node, rows, { retryOf: broken });
	expect(retried.error).toBeUndefined();
	expect(retried.json.map(({ status }) => status)).toEqual([
		'duplicate',
		'duplicate',
		'initiated',
		'unknown',
	]);
	expect(bench.dialed.filter((each) => each === phone(1))).toHaveLength(2);
});
