import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { all, shown, text, statuses } from './helpers/outcomes';
import { goesOn } from './helpers/onError';
import { bulk, contacts, OPERATIONS, phone } from './helpers/workflows';

const bench = workbench();
storeForEach();

describe.each(OPERATIONS)('G3 an address that is wrong is no doubt, with %s', (_, calls) => {
	const WRONG =
		/^The server answered with .* instead of the API’s own answer \(status \d+\)\. Check the Base URL in the credential: .*/;
	const rows = calls === bulk ? 30 : 3;

	it.each([404, 405, 407])(
		'a page with %d before any answer of the API: certainly not called, and after it was mended everybody is',
		async (status) => {
			const parameters = calls({ calledBefore: 'skip' });
			bench.sandbox.fault({ kind: 'gateway', status, times: 100 });
			const stopped = shown(await bench.run(parameters, contacts(3)));
			expect(stopped.message).toMatch(
				/^The server answered .*: rows? 1\b.* not called\. 0 of 3 rows called, 3 not called/,
			);
			expect(stopped.message).not.toMatch(/possibly called/);
			expect(stopped.description).toMatch(/^Check the Base URL in the credential/);
			const { notCalled } = await bench.run(parameters, contacts(3), goesOn);
			expect(notCalled.map(({ json }) => json.status)).toEqual(['refused', 'refused', 'refused']);
			expect(text(notCalled[0]!.json.reason)).toMatch(WRONG);
			bench.sandbox.clearFaults();
			await bench.run(parameters, contacts(3));
			expect([...bench.dialed].sort()).toEqual([phone(0), phone(1), phone(2)]);
		},
	);

	it('after an answer of the API’s own such a page proves nothing', async () => {
		bench.sandbox.fault({ kind: 'gateway', status: 404, after: 1 });
		const parameters = calls({ options: { parallelRequests: 1 } });
		const ended = await bench.run(parameters, contacts(rows), goesOn);
		expect(ended.called.map(({ json }) => json.status)).toContain('unknown');
		expect(ended.notCalled).toEqual([]);
	});
});

const page = {
	kind: 'respond',
	status: 404,
	headers: { 'content-type': 'text/html' },
	body: '<html>Not Found</html>',
	place: true,
	route: 'bulk',
} as const;
it('G3 once the API has answered in an execution, such a page proves nothing in a later round of a loop', async () => {
	bench.sandbox.fault({ ...page, after: 1, times: 1 });
	const parameters = bulk({ calledBefore: 'skip' });
	const { rounds } = await bench.run(parameters, contacts(4), { batchSize: 2, ...goesOn });
	expect(rounds.map(statuses)).toEqual([all(2, 'initiated'), all(2, 'unknown')]);
	await bench.run(parameters, contacts(4));
	expect(bench.sandbox.doubleDialed()).toEqual([]);
});
