import type { INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
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

const GOOD = '{"name": "Ada", "amount": "12.50"}';
const promptVariablesJson = '={{ $json.variables }}';
const keyed = bulk({ calledBefore: 'onceForEach', onceForEach: '={{ $json.invoice }}' });
const statuses = ({ json }: { json: Array<{ status?: unknown }> }) => json.map((row) => row.status);

describe('a row with the number of an earlier row', () => {
	it('G2 is called when the API refused the earlier one alone', async () => {
		const prompt = { agentNumber: AGENT_WITH_PROMPT, variablesFrom: 'json', promptVariablesJson };
		const run = await bench.run(bulk(prompt), [
			{ phone: phone(1), variables: '{"name": "Ada"}' },
			{ phone: phone(2), variables: GOOD },
			{ phone: phone(1), variables: GOOD },
			{ phone: phone(1), variables: GOOD },
		]);
		expect(bench.dialed).toEqual([phone(2), phone(1)]);
		expect(statuses(run)).toEqual(['refused', 'initiated', 'initiated', 'duplicate']);
		expect(run.json[3]!.reason).toBe('Same number as row 3');
	});

	it('is called when the earlier one was refused with its agent, unless it has the same one', async () => {
		const agents = [UNKNOWN_AGENT, UNKNOWN_AGENT, AGENT, AGENT];
		const run = await bench.run(
			bulk({ agentNumber: '={{ $json.agent }}' }),
			agents.map((agent) => ({ phone: phone(1), agent })),
			{ onError: 'continueRegularOutput' },
		);
		expect(bench.dialed).toEqual([phone(1)]);
		expect(statuses(run)).toEqual(['refused', 'refused', 'initiated', 'duplicate']);
	});

	it('is called when the earlier one is invalid', async () => {
		const run = await bench.run(bulk({ agentNumber: '={{ $json.agent }}' }), [
			{ phone: phone(1), agent: '' },
			{ phone: phone(1), agent: AGENT },
		]);
		expect(statuses(run)).toEqual(['invalid', 'initiated']);
	});

	it('G8 is called when the earlier one was called before for another value of Once for Each', async () => {
		await bench.run(keyed, [{ phone: phone(1), invoice: 'INV-1' }]);
		const run = await bench.run(keyed, [
			{ phone: phone(1), invoice: 'inv-1 ' },
			{ phone: phone(1), invoice: 'INV-2' },
		]);
		expect(bench.dialed).toEqual([phone(1), phone(1)]);
		expect(statuses(run)).toEqual(['already_called', 'initiated']);
		expect(run.json[0]!.reason).toMatch(/Once for Each/);
	});

	it('G8 with Skip says the same as the earlier one: the workflow has called this number before', async () => {
		const remembering = bulk({ calledBefore: 'skip' });
		await bench.run(remembering, [{ phone: phone(1) }]);
		const run = await bench.run(remembering, [{ phone: phone(1) }, { phone: phone(1) }]);
		expect(statuses(run)).toEqual(['already_called', 'already_called']);
		expect(run.json.map(({ called }) => called)).toEqual(['no', 'no']);
		expect(bench.dialed).toEqual([phone(1)]);
	});
});

describe('G2 a row with the number of an earlier row and other details is a duplicate without its call', () => {
	const variables = { variablesFrom: 'json', promptVariablesJson: '={{ { name: $json.name } }}' };
	const mother = { phone: phone(1), name: 'Ada', invoice: 'INV-1', agent: AGENT };

	it.each<[string, INodeParameters, object, RegExp]>([
		['other prompt variables', bulk(variables), { name: 'Byron' }, /row 1.*details are spoken/],
		[
			'another agent',
			bulk({ agentNumber: '={{ $json.agent }}' }),
			{ agent: AGENT_WITH_SIP_ID },
			/row 1.*details are spoken/,
		],
		['another value of Once for Each', keyed, { invoice: 'INV-2' }, /row 1.*next run/],
	])('%s', async (_, parameters, other, reason) => {
		const rows = [mother, { ...mother, ...other }, mother];
		const waits = { ...parameters, waitUntil: 'finished' };
		const { json } = await bench.run(waits, rows);
		expect(bench.dialed).toEqual([phone(1)]);
		expect(json.map(({ status, called, reached }) => [status, called, reached])).toEqual([
			['initiated', 'yes', true],
			['duplicate', 'other_row', null],
			['duplicate', 'other_row', true],
		]);
		expect(json[1]).toMatchObject({
			reason: expect.stringMatching(reason),
			success: false,
			consent_id: null,
			call_sid: null,
			batch_id: null,
		});
		const dry = await bench.run({ ...parameters, calledBefore: 'callAgain', mode: 'dryRun' }, rows);
		expect(statuses(dry)).toEqual(['dry_run', 'duplicate', 'duplicate']);
	});

	it('a dry run puts it into no request', async () => {
		const rows = [mother, { ...mother, name: 'Byron' }, mother];
		const { json } = await bench.run(bulk({ ...variables, mode: 'dryRun' }), rows);
		expect(json.map(({ request }) => request)).toEqual([1, undefined, 1]);
	});

	it('G8 with another value of Once for Each it stays free: the next run calls it', async () => {
		const rows = [mother, { ...mother, invoice: 'INV-2' }];
		await bench.run(keyed, rows);
		expect(statuses(await bench.run(keyed, rows))).toEqual(['already_called', 'initiated']);
		expect(bench.dialed).toEqual([phone(1), phone(1)]);
	});
});
