import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import type { INodeParameters } from 'n8n-workflow';
import {
	AGENT,
	AGENT_WITH_PROMPT,
	AGENT_WITH_SIP_ID,
	bulk,
	phone,
	UNKNOWN_AGENT,
} from './helpers/workflows';

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
		expect(notCalled.map(({ json, pairedItem }) => [pairedItem, json.status])).toEqual([
			[{ item: 0 }, 'refused'],
		]);
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
			[
				'already_called',
				'An earlier run of this workflow called this person, or may have ("INV-1" in Remember People By). If this node has a purpose of its own, see its option Share Memory With.',
			],
		]);
		expect(called.map(({ json }) => json.status)).toEqual(['initiated']);
	});

	it('comes out on Not Called when the earlier one was called by an earlier run', async () => {
		const remembering = bulk({ calledBefore: 'skip' });
		await bench.run(remembering, [{ phone: phone(1) }]);
		const { called, notCalled } = await bench.run(remembering, [
			{ phone: phone(1) },
			{ phone: phone(1) },
		]);
		expect(bench.dialed).toEqual([phone(1)]);
		expect(called).toEqual([]);
		expect(notCalled.map(({ json }) => json.status)).toEqual(['already_called', 'duplicate']);
	});
});

describe('G5 a row with the number of an earlier row and words of its own', () => {
	const variables = { variablesFrom: 'json', promptVariablesJson: '={{ { name: $json.name } }}' };
	const mother = { phone: phone(1), name: 'Ada', invoice: 'INV-1', agent: AGENT };
	const son = { ...mother, name: 'Byron' };
	const otherWords = (what: string, n = 1): string =>
		`Same number as row ${n}, with ${what}. To call for each row, set Duplicates to Call Each Row`;

	it.each<[string, INodeParameters, object, string]>([
		['other prompt variables', variables, { name: 'Byron' }, 'other prompt variables'],
		[
			'another agent',
			{ agentNumber: '={{ $json.agent }}' },
			{ agent: AGENT_WITH_SIP_ID },
			'another agent',
		],
		[
			'another key',
			{ calledBefore: 'skip', options: { callOnceKey: '={{ $json.invoice }}' } },
			{ invoice: 'INV-2' },
			'another value in Remember People By',
		],
	])(
		'has %s: it is no duplicate, because its words were not spoken',
		async (_, parameters, other, what) => {
			const { called, notCalled, hints } = await bench.run(bulk(parameters), [
				mother,
				{ ...mother, ...other },
				mother,
			]);
			expect(bench.dialed).toEqual([phone(1)]);
			expect(called.map(({ json, pairedItem }) => [pairedItem, json.status, json.called])).toEqual([
				[{ item: 0 }, 'initiated', 'yes'],
				[{ item: 2 }, 'duplicate', 'yes'],
			]);
			expect(notCalled.map(({ json }) => json)).toEqual([
				{
					status: 'same_number',
					called: 'other_row',
					reason: otherWords(what),
					destination: phone(1),
					success: false,
					consent_id: null,
					call_sid: null,
					batch_id: null,
				},
			]);
			expect(hints.map(({ message }) => message)).toEqual([
				'3 rows: 1 person called (2 rows), 1 not called (1 with the number of another row)',
			]);
		},
	);

	it('is not reached by the call of the other one, and nothing of it is said', async () => {
		const { json, hints } = await bench.run(
			bulk({ ...variables, waitUntil: 'finished', pollInterval: 1 }),
			[mother, son],
		);
		expect(
			json.map(({ status, reached, conversation_id }) => [status, reached, conversation_id]),
		).toEqual([
			['initiated', true, expect.any(Number)],
			['same_number', null, null],
		]);
		expect(hints.map(({ message }) => message)).toEqual([
			'2 rows: 1 called, 1 not called (1 with the number of another row); of 1 called: 1 reached, 0 not',
		]);
	});

	it('is called when the earlier one cannot be called itself', async () => {
		const { json } = await bench.run(
			bulk({ ...variables, agentNumber: '={{ $json.agent }}' }),
			[{ ...mother, agent: UNKNOWN_AGENT }, son, mother],
			{
				onError: 'continueRegularOutput',
			},
		);
		expect(bench.dialed).toEqual([phone(1)]);
		expect(json.map(({ status, reason }) => [status, reason])).toEqual([
			['refused', expect.stringMatching(/^No agent on your account/)],
			['initiated', null],
			['same_number', otherWords('other prompt variables', 2)],
		]);
	});

	it('is no duplicate either where nobody is called: it says why, and has none of what the API said of the other', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'failed', error: 'Line busy' });
		const failed = await bench.run(bulk(variables), [mother, son, mother]);
		expect(
			failed.json.map(({ status, called, reason, consent_id }) => [
				status,
				called,
				reason,
				consent_id,
			]),
		).toEqual([
			['failed', 'no', 'Line busy', expect.any(Number)],
			['same_number', 'no', 'Same number as row 1, which was not dialed: line busy', null],
			['duplicate', 'no', 'Same number as row 1', expect.any(Number)],
		]);
		const run = await bench.run(bulk({ ...variables, countries: [] }), [mother, son, mother], {
			onError: 'continueRegularOutput',
		});
		expect(run.json.map(({ status }) => status)).toEqual(['refused', 'refused', 'duplicate']);
		expect(run.json[1]!.reason).toBe(run.json[0]!.reason);
		expect(bench.dialed).toEqual([]);
	});

	it('has a key that is not remembered: the next run calls for it', async () => {
		const keyed = bulk({ calledBefore: 'skip', options: { callOnceKey: '={{ $json.invoice }}' } });
		await bench.run(keyed, [mother, { ...mother, invoice: 'INV-2' }]);
		const { json } = await bench.run(keyed, [mother, { ...mother, invoice: 'INV-2' }]);
		expect(json.map(({ status }) => status)).toEqual(['already_called', 'initiated']);
		expect(bench.dialed).toEqual([phone(1), phone(1)]);
	});

	it('is called with Call Each Row', async () => {
		const { json } = await bench.run(bulk({ ...variables, options: { duplicates: 'callEach' } }), [
			mother,
			son,
		]);
		expect(json.map(({ status }) => status)).toEqual(['initiated', 'initiated']);
	});

	it('would not be called in a dry run either, and is part of no request', async () => {
		const { json, hints } = await bench.run(bulk({ ...variables, mode: 'dryRun' }), [
			mother,
			son,
			mother,
		]);
		expect(json.map(({ status, called, request }) => [status, called, request])).toEqual([
			['dry_run', 'no', 1],
			['same_number', 'no', undefined],
			['duplicate', 'no', 1],
		]);
		expect(hints.map(({ message }) => message)).toEqual([
			'Nobody was called: Mode is Dry Run. 3 rows: 1 person would be called (2 rows), 1 not (1 with the number of another row). To call them, set Mode to Live. Countries: United States 1. Sent as prompt variables: "name".',
		]);
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

	it('is not called beside a row that was called for its number', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'failed', error: 'No route' });
		const { json } = await bench.run(keyed, [
			{ phone: phone(1), person: 'Ada' },
			{ phone: phone(2), person: 'Ada' },
			{ phone: phone(2), person: 'Bob' },
		]);
		expect(bench.dialed).toEqual([phone(2)]);
		expect(json.map(({ status }) => status)).toEqual(['failed', 'same_number', 'initiated']);
	});
});
