import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { AGENT, AGENT_WITH_PROMPT, bulk, phone, UNKNOWN_AGENT } from './helpers/workflows';

const bench = workbench();
storeForEach();

const withPrompt = bulk({
	agentNumber: AGENT_WITH_PROMPT,
	variablesFrom: 'json',
	promptVariablesJson: '={{ $json.variables }}',
});
const GOOD = '{"name": "Ada", "amount": "12.50"}';

describe('a row with the number of an earlier row', () => {
	it('G2 is called when the API refused the earlier one alone', async () => {
		const { called, notCalled } = await bench.run(withPrompt, [
			{ phone: phone(1), variables: '{"name": "Ada"}' },
			{ phone: phone(2), variables: GOOD },
			{ phone: phone(1), variables: GOOD },
			{ phone: phone(1), variables: GOOD },
		]);
		expect(bench.dialed).toEqual([phone(2), phone(1)]);
		expect(notCalled.map(({ json, pairedItem }) => [pairedItem, json.status])).toEqual([[{ item: 0 }, 'refused']]);
		expect(called.map(({ json, pairedItem }) => [pairedItem, json.status, json.reason])).toEqual([
			[{ item: 1 }, 'initiated', null],
			[{ item: 2 }, 'initiated', null],
			[{ item: 3 }, 'duplicate', 'Same number as row 3'],
		]);
	});

	it('is called when the earlier one was refused with its agent, unless it has the same one', async () => {
		const { called, notCalled } = await bench.run(
			bulk({ agentNumber: '={{ $json.agent }}' }),
			[
				{ phone: phone(1), agent: UNKNOWN_AGENT },
				{ phone: phone(1), agent: UNKNOWN_AGENT },
				{ phone: phone(1), agent: AGENT },
				{ phone: phone(1), agent: AGENT },
			],
			{ onError: 'continueRegularOutput' },
		);
		expect(bench.dialed).toEqual([phone(1)]);
		expect(notCalled.map(({ json, pairedItem }) => [pairedItem, json.status])).toEqual([
			[{ item: 0 }, 'refused'],
			[{ item: 1 }, 'duplicate'],
		]);
		expect(called.map(({ json, pairedItem }) => [pairedItem, json.status, json.reason])).toEqual([
			[{ item: 2 }, 'initiated', null],
			[{ item: 3 }, 'duplicate', 'Same number as row 3'],
		]);
	});

	it('G2 is called when the earlier one was called before under another key: yesterday’s invoice keeps nobody from hearing of today’s', async () => {
		const keyed = bulk({ calledBefore: 'skip', options: { callOnceKey: '={{ $json.invoice }}' } });
		await bench.run(keyed, [{ phone: phone(1), invoice: 'INV-1' }]);
		const { called, notCalled } = await bench.run(keyed, [
			{ phone: phone(1), invoice: 'INV-1' },
			{ phone: phone(1), invoice: 'INV-2' },
		]);
		expect(bench.dialed).toEqual([phone(1), phone(1)]);
		expect(notCalled.map(({ json }) => [json.status, json.reason])).toEqual([
			['already_called', 'An earlier run called this person, or may have ("INV-1" in Remember People By).'],
		]);
		expect(called.map(({ json }) => json.status)).toEqual(['initiated']);
	});

	it('comes out on Not Called when the earlier one was called by an earlier run', async () => {
		const remembering = bulk({ calledBefore: 'skip' });
		await bench.run(remembering, [{ phone: phone(1) }]);
		const { called, notCalled } = await bench.run(remembering, [{ phone: phone(1) }, { phone: phone(1) }]);
		expect(bench.dialed).toEqual([phone(1)]);
		expect(called).toEqual([]);
		expect(notCalled.map(({ json }) => json.status)).toEqual(['already_called', 'duplicate']);
	});
});

describe('a row with the key of an earlier row and another number', () => {
	const keyed = bulk({ calledBefore: 'skip', options: { callOnceKey: '={{ $json.person }}' } });

	it('is not called when the earlier one was', async () => {
		const { json } = await bench.run(keyed, [
			{ phone: phone(1), person: 'Ada' },
			{ phone: phone(2), person: 'Ada' },
		]);
		expect(bench.dialed).toEqual([phone(1)]);
		expect(json.map(({ status }) => status)).toEqual(['initiated', 'already_called']);
	});

	it('is called when the API could not dial the earlier one', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'failed', error: 'No route' });
		const { json } = await bench.run(keyed, [
			{ phone: phone(1), person: 'Ada' },
			{ phone: phone(2), person: 'Ada' },
			{ phone: phone(3), person: 'Ada' },
		]);
		expect(bench.dialed).toEqual([phone(2)]);
		expect(json.map(({ status }) => status)).toEqual(['failed', 'initiated', 'already_called']);
	});

	it('shares the call of a row that was called for its own number', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'failed', error: 'No route' });
		const { json } = await bench.run(keyed, [
			{ phone: phone(1), person: 'Ada' },
			{ phone: phone(2), person: 'Ada' },
			{ phone: phone(2), person: 'Bob' },
		]);
		expect(bench.dialed).toEqual([phone(2)]);
		expect(json.map(({ status }) => status)).toEqual(['failed', 'duplicate', 'initiated']);
	});
});
