import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { bulk, contacts, phone, place, shown, text } from './helpers/workflows';

const bench = workbench();
storeForEach();

describe.each([bulk, place])('G3 an address that is wrong is no doubt', (calls) => {
	const WRONG =
		/^The server answered with .* instead of the API’s own answer \(status \d+\)\. Check the Base URL in the credential: .* Nobody was called by this request\./;
	const rows = calls === bulk ? 30 : 3;

	it.each([404, 405, 407])(
		'a page with %d before any answer of the API: certainly not called, and after it was mended everybody is',
		async (status) => {
			const parameters = calls({ calledBefore: 'skip' });
			bench.sandbox.fault({ kind: 'gateway', status, times: 100 });
			const stopped = shown(await bench.run(parameters, contacts(3)));
			expect(stopped.message).toMatch(/0 called, 3 not called/);
			expect(stopped.message).not.toMatch(/may have been/);
			expect(stopped.description).toMatch(/^Check the Base URL in the credential/);
			const { notCalled } = await bench.run(parameters, contacts(3), { onError: 'continueRegularOutput' });
			expect(notCalled.map(({ json }) => json.status)).toEqual(['refused', 'refused', 'refused']);
			expect(text(notCalled[0]!.json.reason)).toMatch(WRONG);
			bench.sandbox.clearFaults();
			await bench.run(parameters, contacts(3));
			expect([...bench.dialed].sort()).toEqual([phone(0), phone(1), phone(2)]);
		},
	);

	it('a Base URL without its last part', async () => {
		const api = { baseUrl: bench.sandbox.baseUrl.replace(/\/outbound$/, ''), token: bench.sandbox.token };
		const { notCalled } = await bench.run(calls(), contacts(20), { api, onError: 'continueRegularOutput' });
		expect(notCalled.map(({ json }) => json.status)).toEqual(Array.from({ length: 20 }, () => 'refused'));
		// The sandbox documents no such path.
		bench.sandbox.reset();
	});

	it('after an answer of the API’s own such a page proves nothing', async () => {
		bench.sandbox.fault({ kind: 'gateway', status: 404, after: 1 });
		const ended = await bench.run(calls({ options: { parallelRequests: 1 } }), contacts(rows), { onError: 'continueRegularOutput' });
		expect(ended.called.map(({ json }) => json.status)).toContain('unknown');
		expect(ended.notCalled).toEqual([]);
	});
});
