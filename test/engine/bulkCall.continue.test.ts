import type { INode, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import {
	AGENT_WITH_PROMPT,
	bulk,
	CALLER,
	contacts,
	pairs,
	phone,
	shown,
	SIP_AGENT,
	UNKNOWN_AGENT,
} from './helpers/workflows';

const bench = workbench();
storeForEach();

const settings: Array<INode['onError']> = [
	'stopWorkflow',
	'continueRegularOutput',
	'continueErrorOutput',
];
const withBad = (count: number, ...bad: number[]) =>
	contacts(count).map((row, n) => (bad.includes(n) ? { ...row, phone: `0555-${n}` } : row));

const withPrompt = (options: INodeParameters = {}): INodeParameters =>
	bulk({
		agentNumber: AGENT_WITH_PROMPT,
		variablesFrom: 'json',
		promptVariablesJson: '={{ $json.variables }}',
		options,
	});
const GOOD = '{"name": "Ada", "amount": "1"}';
const BAD = '{"name": "Ada"}';

describe.each(settings)('On Error = %s: rows that cannot be called are data', (onError) => {
	it('G1 G5 invalid rows say why, and the others are called', async () => {
		const run = await bench.run(bulk(), withBad(12, 0, 5), { onError });
		expect([run.error, run.errorItems]).toEqual([undefined, []]);
		expect(pairs(run.notCalled)).toEqual([0, 5]);
		expect(run.notCalled[1]!.json).toEqual({
			status: 'invalid',
			called: 'no',
			reason: expect.stringMatching(/0555-5/),
			destination: '0555-5',
			success: false,
			consent_id: null,
			call_sid: null,
			batch_id: null,
		});
		expect(bench.dialed).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 10, 11].map(phone));
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('G5 an expression that cannot be evaluated concerns its own row, which still says whom it is about', async () => {
		const agentNumber =
			'={{ $json.amount === 1.5 ? $("Nowhere").item.json.agent : "+15550001000" }}';
		const { json } = await bench.run(bulk({ agentNumber }), contacts(3), { onError });
		expect(json.map(({ status, destination }) => [status, destination])).toEqual([
			['initiated', phone(0)],
			['invalid', phone(1)],
			['initiated', phone(2)],
		]);
		expect(json[1]!.reason).toMatch(/expression.*red/);
	});

	it('G6 a row that the API refuses alone says why, and the others are called', async () => {
		const rows = contacts(12).map((row, n) => ({ ...row, variables: n === 4 ? BAD : GOOD }));
		const { called, notCalled, errorItems } = await bench.run(withPrompt(), rows, { onError });
		expect(pairs(called)).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11]);
		expect(pairs(notCalled)).toEqual([4]);
		expect(notCalled[0]!.json).toMatchObject({
			status: 'refused',
			called: 'no',
			reason: expect.stringMatching(/"amount".*under Prompt Variables/),
		});
		expect(errorItems).toEqual([]);
		expect(bench.sandbox.requests.map(({ status, dialed }) => [status, dialed]).sort()).toEqual([
			[201, 2],
			[201, 9],
			[400, 0],
		]);
	});

	it('G2 a person whose first row is refused alone is called for the second one', async () => {
		const { json, error } = await bench.run(
			withPrompt(),
			[BAD, GOOD, GOOD].map((variables) => ({ phone: phone(0), variables })),
			{ onError },
		);
		expect(error).toBeUndefined();
		expect(json.map(({ status }) => status)).toEqual(['refused', 'initiated', 'duplicate']);
		expect(bench.dialed).toEqual([phone(0)]);
	});
});

describe('On Error = Stop', () => {
	it('G1 when no row can be called the message names the first row and the remedy', async () => {
		const run = await bench.run(bulk(), withBad(3, 0, 1, 2));
		expect(shown(run).message).toMatch(/^No row can be called\. Row 1: .*0555-0/);
		expect(shown(run).description).toMatch(/Nobody was called\.$/);
		expect(run.items).toEqual([]);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it.each<[string, INodeParameters, RegExp, RegExp]>([
		[
			'an empty agent',
			{ agentNumber: '={{ "" }}', callerNumber: CALLER },
			/^Agent Number is empty/,
			/SIP ID in Agent Number/,
		],
		['an agent that is a word', { agentNumber: 'Reminder' }, /^Agent Number.*"Reminder"/, /SIP ID/],
		[
			'a SIP agent without a caller',
			{ agentNumber: `={{ "${SIP_AGENT}" }}`, callerNumber: '={{ "" }}' },
			/^Caller Number is empty.*t-sales/,
			/registered on your account/,
		],
		['a caller that is a word', { agentNumber: SIP_AGENT, callerNumber: 'x' }, /^Caller/, /\+/],
	])('G1 with %s nobody is called, and the field is named', async (_, parameters, what, remedy) => {
		const { message, description } = shown(await bench.run(bulk(parameters), contacts(2)));
		expect(message).toMatch(what);
		expect(description).toMatch(remedy);
		expect(description).toMatch(/Nobody was called\.$/);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('G4 the message says the cause, who was called and what to press, and Retry calls only the rest', async () => {
		bench.sandbox.fault({ kind: 'dailyLimit', after: 2, times: 1 });
		const parameters = bulk({ options: { parallelRequests: 1 } });
		const stopped = await bench.run(parameters, contacts(35));
		expect(shown(stopped)).toEqual({
			message: expect.stringMatching(
				/^Rows 21 to 30 .*daily call limit.* 20 of 35 rows called, 15 not called/,
			),
			description: expect.stringMatching(/tomorrow.* press Retry .*not called again/),
			httpCode: '422',
		});
		const { called } = await bench.run(parameters, contacts(35), { retryOf: stopped });
		expect(bench.dialed).toEqual(contacts(35).map((row) => row.phone));
		expect(called).toHaveLength(35);
	});

	it('G4 Retry does not stop at an unknown row that it carries over, nor at rows refused alone', async () => {
		const rows = contacts(13).map((row, n) => ({ ...row, variables: n < 2 ? BAD : GOOD }));
		bench.sandbox.fault({ kind: 'resetAfter', after: 2, times: 1 });
		const parameters = withPrompt({ parallelRequests: 1 });
		const stopped = await bench.run(parameters, rows);
		expect(shown(stopped).message).toMatch(
			/^Rows 11 to 13 were sent without a clear answer.*8 of 13 rows called, 3 possibly called, 2 not called/,
		);
		const retried = await bench.run(parameters, rows, { retryOf: stopped });
		expect(retried.error).toBeUndefined();
		expect(retried.json.map(({ status }) => status)).toEqual([
			...Array<string>(2).fill('refused'),
			...Array<string>(8).fill('initiated'),
			...Array<string>(3).fill('unknown'),
		]);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});
});

describe.each(settings.slice(1))('On Error = %s', (onError) => {
	it('G5 refused, undialed and unknown rows come out once each, paired, in order', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'failed', error: 'Busy' });
		const body = { success: false, error: 'Odd' };
		bench.sandbox.fault({ kind: 'respond', status: 422, body, after: 1, times: 1 });
		bench.sandbox.fault({ kind: 'resetAfter', after: 2, times: 1 });
		const rows = contacts(30).map((row, n) => ({
			...row,
			agent: ['+15550001000', '+15550003000', AGENT_WITH_PROMPT][Math.floor(n / 10)],
		}));
		const parameters = bulk({
			agentNumber: '={{ $json.agent }}',
			callerNumber: CALLER,
			variablesFrom: 'json',
			promptVariablesJson: '{"name": "", "amount": ""}',
			options: { parallelRequests: 1 },
		});
		const run = await bench.run(parameters, rows, { onError });
		expect([run.error, run.errorItems]).toEqual([undefined, []]);
		expect(pairs(run.items)).toEqual(rows.map((_, n) => n));
		const expected = [
			['initiated', 'yes'],
			['failed', 'no'],
			...Array<string[]>(8).fill(['initiated', 'yes']),
			...Array<string[]>(10).fill(['refused', 'no']),
			...Array<string[]>(10).fill(['unknown', 'maybe']),
		];
		expect(run.json.map(({ status, called }) => [status, called])).toEqual(expected);
		expect(run.hints[0]!.message).toMatch(
			/^9 of 30 rows called, 10 possibly called, 11 not called.*<br>The API .*\(Odd\)/,
		);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.sandbox.requests).toHaveLength(3);
	});

	it('G6 an unknown agent is asked for once, also where a number stands in two rows', async () => {
		const rows = [...contacts(3), ...contacts(1)];
		const run = await bench.run(bulk({ agentNumber: UNKNOWN_AGENT }), rows, { onError });
		expect(run.json.map(({ status, called }) => [status, called])).toEqual(
			Array(4).fill(['refused', 'no']),
		);
		expect(run.errorItems).toEqual([]);
		expect(bench.sandbox.requests).toHaveLength(1);
	});
});
