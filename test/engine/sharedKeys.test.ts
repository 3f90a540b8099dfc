import { withClock } from './helpers/clockBench';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { bulk, phone } from './helpers/workflows';

/** docs/retry.md: "Where the key of a row is empty, its number decides: it is called only if the number was not called before, by whatever key." */
const bench = workbench();
const store = storeForEach();
const byInvoice = bulk({ calledBefore: 'skip', options: { callOnceKey: '={{ $json.invoice }}' } });
const row = (invoice: string) => [{ phone: phone(1), invoice }];
const statuses = (...runs: Array<Finished | undefined>): unknown[] =>
	runs.map((run) => run?.json[0]?.status);

describe('G8 a person whom one run did not call, and another run called meanwhile by another key, stays known to rows without a key', () => {
	/** The API did not dial invoice A; before its answer came, another execution began to call invoice B. */
	const twoAtOnce = async () => {
		await bench.meet();
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'locked', error: 'Locked', times: 1 });
		let other: Promise<Finished> | undefined;
		bench.meanwhile = async ({ path }) => {
			if (path !== '/calls/bulk' || other) return;
			const before = store.size;
			other = bench.run(byInvoice, row('B'), { executionId: 'B' });
			while (store.size === before) await new Promise(setImmediate);
		};
		const first = await bench.run(byInvoice, row('A'), { executionId: 'A' });
		expect(statuses(first, await other)).toEqual(['locked', 'initiated']);
	};

	it('two executions at the same moment, of which the first one was refused', async () => {
		await twoAtOnce();
		expect(statuses(await bench.run(byInvoice, row('')))).toEqual(['already_called']);
		expect(bench.dialed).toEqual([phone(1)]);
	});

	it('and a dry run with another key says that they would be called again', async () => {
		await twoAtOnce();
		const look = await bench.run(
			{ ...byInvoice, mode: 'dryRun', options: { callOnceKey: '=summer-{{ $json.phone }}' } },
			row('C'),
		);
		expect(look.hints.map(({ message }) => message).join()).toContain(
			'1 of these people was called under another setting of Remember People By',
		);
	});

	it('the first run waits for its call, which is cancelled; meanwhile the second one calls', async () => {
		await withClock(async (clock) => {
			clock.sandbox.settings.dialAfterMs = 100_000;
			let other: Finished | undefined;
			clock.meanwhile = async ({ path }) => {
				if (!path.startsWith('/batches') || other) return;
				clock.sandbox.settings.dialAfterMs = 0;
				other = await clock.run(byInvoice, row('B'), { executionId: 'B' });
				const headers = { authorization: `Bearer ${clock.sandbox.token}` };
				await fetch(
					`${clock.sandbox.baseUrl}/consents/${clock.sandbox.journal[0]!.consentId}/cancel`,
					{ method: 'POST', headers },
				);
			};
			const waits = { ...byInvoice, waitUntil: 'finished', pollInterval: 1, waitTimeout: 0.1 };
			const first = await clock.run(waits, row('A'), { executionId: 'A' });
			expect([first.json[0]?.record_status, ...statuses(first, other)]).toEqual([
				'cancelled',
				'initiated',
				'initiated',
			]);
			expect(statuses(await clock.run(byInvoice, row('')))).toEqual(['already_called']);
		});
	});

	it('somebody forgets the person while the second run calls them: that run remembers them again', async () => {
		await bench.run(byInvoice, row('A'));
		bench.meanwhile = async ({ path }) => {
			if (path !== '/calls/bulk') return;
			bench.meanwhile = undefined;
			await bench.run(
				{ resource: 'memory', operation: 'forget', forgetWhat: 'people', people: phone(1) },
				[{}],
			);
		};
		await bench.run(byInvoice, row('B'));
		expect(statuses(await bench.run(byInvoice, row('')))).toEqual(['already_called']);
	});
});
