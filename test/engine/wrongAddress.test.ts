import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { bulk, contacts, phone, place, shown, text } from './helpers/workflows';

const bench = workbench();
storeForEach();

describe.each([
	['Bulk Call', bulk],
	['Place Call', place],
])('G3 an address that is wrong is no doubt, with %s', (_, calls) => {
	const WRONG =
		/^The server answered with .* instead of the API’s own answer \(status \d+\)\. Check the Base URL in the credential: .*/;
	const rows = calls === bulk ? 30 : 3;

	it.each([404, 405, 407])(
		'a page with %d before any answer of the API: certainly not called, and after it was mended everybody is',
		async (status) => {
			const parameters = calls({ calledBefore: 'skip' });
			bench.sandbox.fault({ kind: 'gateway', status, times: 100 });
			const stopped = shown(await bench.run(parameters, contacts(3)));
			expect(stopped.message).toMatch(/0 of 3 rows called, 3 not called/);
			expect(stopped.message).not.toMatch(/possibly called/);
			expect(stopped.description).toMatch(/^Check the Base URL in the credential/);
			const { notCalled } = await bench.run(parameters, contacts(3), {
				onError: 'continueRegularOutput',
			});
			expect(notCalled.map(({ json }) => json.status)).toEqual(['refused', 'refused', 'refused']);
			expect(text(notCalled[0]!.json.reason)).toMatch(WRONG);
			bench.sandbox.clearFaults();
			await bench.run(parameters, contacts(3));
			expect([...bench.dialed].sort()).toEqual([phone(0), phone(1), phone(2)]);
		},
	);

	it('a Base URL without its last part', async () => {
		const api = {
			baseUrl: bench.sandbox.baseUrl.replace(/\/outbound$/, ''),
			token: bench.sandbox.token,
		};
		const { notCalled } = await bench.run(calls(), contacts(20), {
			api,
			onError: 'continueRegularOutput',
		});
		expect(notCalled.map(({ json }) => json.status)).toEqual(
			Array.from({ length: 20 }, () => 'refused'),
		);
		// The sandbox documents no such path.
		bench.sandbox.reset();
	});

	it('after an answer of the API’s own such a page proves nothing', async () => {
		bench.sandbox.fault({ kind: 'gateway', status: 404, after: 1 });
		const ended = await bench.run(calls({ options: { parallelRequests: 1 } }), contacts(rows), {
			onError: 'continueRegularOutput',
		});
		expect(ended.called.map(({ json }) => json.status)).toContain('unknown');
		expect(ended.notCalled).toEqual([]);
	});
});

describe('G3 once the API has answered in an execution, such a page proves nothing', () => {
	const page = {
		kind: 'respond',
		status: 404,
		headers: { 'content-type': 'text/html' },
		body: '<html>Not Found</html>',
		place: true,
		route: 'bulk',
	} as const;
	const statuses = (rows: Array<{ status?: unknown }>): unknown[] =>
		rows.map(({ status }) => status);

	it('in a later round of a loop', async () => {
		bench.sandbox.fault({ ...page, after: 1, times: 1 });
		const parameters = bulk({ calledBefore: 'skip' });
		const { rounds } = await bench.run(parameters, contacts(4), {
			batchSize: 2,
			onError: 'continueRegularOutput',
		});
		expect(rounds.map(statuses)).toEqual([
			['initiated', 'initiated'],
			['unknown', 'unknown'],
		]);
		await bench.run(parameters, contacts(4));
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it('in a Retry', async () => {
		bench.sandbox.settings.dailyLimit = 10;
		const parameters = bulk({ options: { parallelRequests: 1, maxRetryWait: 0 } });
		const stopped = await bench.run(parameters, contacts(20));
		delete bench.sandbox.settings.dailyLimit;
		bench.sandbox.fault({ ...page, times: 1 });
		const retried = await bench.run(parameters, contacts(20), { retryOf: stopped });
		expect(shown(retried).message).toMatch(/10 possibly called/);
		await bench.run(parameters, contacts(20), { retryOf: retried });
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});
});
