import type { INode } from 'n8n-workflow';
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

const settings: Array<[string, INode['onError']]> = [
	['Stop Workflow', 'stopWorkflow'],
	['Continue', 'continueRegularOutput'],
	['Continue (using error output)', 'continueErrorOutput'],
];

const withBad = (count: number, ...bad: number[]) =>
	contacts(count).map((row, n) => (bad.includes(n) ? { ...row, phone: `0555-${n}` } : row));

const NO_COUNTRY = (number: string) =>
	`The destination "${number}" has no country code. Choose the country under “Country of Numbers Without +”, or write the number with + and its country code.`;
const NO_NUMBER = (number: string) =>
	`The destination "${number}" is not a phone number: it has too few digits. Write the number with a leading + and the country code, digits only, like +14155550123.`;

describe.each(settings)('On Error = %s: rows that cannot be called are data', (_, onError) => {
	it('G1 only the rows that are not valid are not called, and each says why and what to do', async () => {
		const rows = withBad(12, 0, 5);
		const { called, notCalled, errorItems, error } = await bench.run(bulk(), rows, { onError });
		expect(error).toBeUndefined();
		expect(errorItems).toEqual([]);
		expect(notCalled).toEqual(
			[0, 5].map((n) => ({
				json: {
					status: 'invalid',
					called: 'no',
					reason: NO_NUMBER(`0555-${n}`),
					destination: `0555-${n}`,
					success: false,
					consent_id: null,
					call_sid: null,
					batch_id: null,
				},
				pairedItem: { item: n },
			})),
		);
		expect(pairs(called)).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 10, 11]);
		expect(called.map(({ json }) => [json.destination, json.status])).toEqual(
			[1, 2, 3, 4, 6, 7, 8, 9, 10, 11].map((n) => [phone(n), 'initiated']),
		);
		expect(bench.dialed).toEqual(called.map(({ json }) => json.destination));
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('a number without its country says so', async () => {
		const { notCalled } = await bench.run(
			bulk(),
			[{ phone: phone(0) }, { phone: '(0171) 234 56 78' }],
			{ onError },
		);
		expect(notCalled.map(({ json }) => json.reason)).toEqual([NO_COUNTRY('(0171) 234 56 78')]);
		expect(bench.dialed).toEqual([phone(0)]);
	});

	it('the totals count rows that are not valid, too', async () => {
		const { hints } = await bench.run(bulk(), withBad(5, 1), { onError });
		expect(hints.map(({ message }) => message)).toEqual([
			'5 rows: 4 called, 1 not called (1 invalid)',
		]);
	});

	it('an expression that cannot be resolved concerns its own row only', async () => {
		const destination =
			'={{ $json.phone === "none" ? $("Nowhere").item.json.phone : $json.phone }}';
		const rows = [{ phone: phone(0) }, { phone: 'none' }, { phone: phone(2) }];
		const { json } = await bench.run(bulk({ destination }), rows, { onError });
		expect(json.map(({ status, reason }) => [status, reason])).toEqual([
			['initiated', null],
			[
				'invalid',
				"An expression in this node could not be resolved (Referenced node doesn't exist). Look at the fields of this node with expressions: the editor shows the one in question in red.",
			],
			['initiated', null],
		]);
		expect(bench.dialed).toEqual([phone(0), phone(2)]);
	});

	it('a row of which another field cannot be read still says whom it is about', async () => {
		const agentNumber =
			'={{ $json.amount === 1.5 ? $("Nowhere").item.json.agent : "+15550001000" }}';
		const { json } = await bench.run(bulk({ agentNumber }), contacts(3), { onError });
		expect(json.map(({ status, destination }) => [status, destination])).toEqual([
			['initiated', phone(0)],
			['invalid', phone(1)],
			['initiated', phone(2)],
		]);
	});

	it('G6 a row that the API refuses alone is on Not Called, and the others are called', async () => {
		const rows = contacts(12).map((row, n) => ({
			...row,
			variables: n === 4 ? '{"name": "Ada"}' : '{"name": "Ada", "amount": "1"}',
		}));
		const parameters = bulk({
			agentNumber: AGENT_WITH_PROMPT,
			variablesFrom: 'json',
			promptVariablesJson: '={{ $json.variables }}',
		});
		const { called, notCalled, errorItems } = await bench.run(parameters, rows, { onError });
		expect(pairs(called)).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11]);
		expect(notCalled).toEqual([
			{
				json: {
					status: 'refused',
					called: 'no',
					reason:
						'The agent’s prompt needs the prompt variable "amount", which was not sent. Add amount under Prompt Variables, spelled exactly so, for example by dragging the column in and naming it so.',
					destination: phone(4),
					success: false,
					consent_id: null,
					call_sid: null,
					batch_id: null,
				},
				pairedItem: { item: 4 },
			},
		]);
		expect(errorItems).toEqual([]);
		expect(bench.sandbox.requests.map(({ status, dialed }) => [status, dialed]).sort()).toEqual([
			[201, 2],
			[201, 9],
			[400, 0],
		]);
	});
});

describe('On Error = Stop', () => {
	it('G1 when no row can be called nobody is, and the message names the first row and the remedy', async () => {
		const finished = await bench.run(bulk(), withBad(3, 0, 1, 2));
		expect(shown(finished)).toEqual({
			message:
				'None of the 3 rows can be called. Row 1: the destination "0555-0" is not a phone number: it has too few digits',
			description:
				'Write the number with a leading + and the country code, digits only, like +14155550123. Nobody was called.',
			httpCode: null,
		});
		expect(finished.items).toEqual([]);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('G1 the only row is named without counting', async () => {
		const { message } = shown(await bench.run(bulk(), withBad(1, 0)));
		expect(message).toBe(
			'Row 1: the destination "0555-0" is not a phone number: it has too few digits',
		);
	});

	it.each<[string, Parameters<typeof bulk>[0], string, string]>([
		[
			'an empty agent',
			{ agentNumber: '={{ "" }}', callerNumber: CALLER },
			'Agent Number is empty',
			'Enter the agent’s phone number or its SIP ID in Agent Number.',
		],
		[
			'an agent that is a word',
			{ agentNumber: 'Reminder' },
			'Agent Number holds "Reminder", which is neither a phone number nor a SIP ID',
			'Enter the agent’s phone number, like +14155550100, or its SIP ID, which starts with the letter t.',
		],
		[
			'a SIP agent from a column without a caller',
			{ agentNumber: `={{ "${SIP_AGENT}" }}`, callerNumber: '={{ "" }}' },
			'Caller Number is empty, and the agent "t-sales" is a SIP ID, which needs one',
			'Enter a number registered on your account in Caller Number, like +14155550199.',
		],
		[
			'a caller without its plus',
			{ agentNumber: SIP_AGENT, callerNumber: '15550009999' },
			'Caller Number holds "15550009999", which is not a phone number with its country code',
			'Write Caller Number with a leading + and the country code, like +14155550199. Country of Numbers Without + is for destinations only.',
		],
		[
			'a mode that is none',
			{ mode: '={{ "Lve" }}' },
			'Mode is "Lve", but it must be dryRun, test or live',
			'Choose it from the list, or correct its expression.',
		],
	])(
		'G1 nothing is dialed with %s, and the field is named, not a row',
		async (_, parameters, message, remedy) => {
			expect(shown(await bench.run(bulk(parameters), contacts(2)))).toEqual({
				message,
				description: `${remedy} Nobody was called.`,
				httpCode: null,
			});
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	it('G1 an agent that differs by row is told with its row', async () => {
		const rows = contacts(2).map((row, n) => ({ ...row, agent: ['', 'Reminder'][n]! }));
		const { message } = shown(await bench.run(bulk({ agentNumber: '={{ $json.agent }}' }), rows));
		expect(message).toBe('None of the 2 rows can be called. Row 1: Agent Number is empty');
	});

	it('G5 the message counts people, and the remedy ends with what to press so that only the rest is called', async () => {
		bench.sandbox.fault({ kind: 'dailyLimit', after: 2, times: 1 });
		const stopped = await bench.run(bulk({ options: { parallelRequests: 1 } }), contacts(35));
		expect(shown(stopped)).toEqual({
			message:
				'35 rows: 20 called, 15 not called (10 refused, 5 not sent). Rows 21 to 30 were not called: the daily call limit of your account is reached (Daily call limit reached). Rows 31 to 35 were not sent',
			description:
				'Wait until tomorrow, or request a higher daily limit on the outbound calls page of your dashboard. To go on with the rest, open the Executions tab, choose this execution and press Retry (the arrow icon): whoever was called is not called again. “Execute workflow” would start a new run and call everybody again.',
			httpCode: '422',
		});
		expect(bench.sandbox.requests).toHaveLength(3);

		const { called, notCalled } = await bench.run(
			bulk({ options: { parallelRequests: 1 } }),
			contacts(35),
			{ retryOf: stopped },
		);
		expect(bench.dialed).toEqual(contacts(35).map((row) => row.phone));
		expect(called).toHaveLength(35);
		expect(notCalled).toEqual([]);
	});

	it('G4 Retry comes to an end where only rows are left that the API refuses alone: they come out on Not Called', async () => {
		const rows = contacts(13).map((row, n) => ({
			...row,
			variables: n < 2 ? '{"name": "Ada"}' : '{"name": "Ada", "amount": "1"}',
		}));
		const parameters = bulk({
			agentNumber: AGENT_WITH_PROMPT,
			variablesFrom: 'json',
			promptVariablesJson: '={{ $json.variables }}',
			options: { parallelRequests: 1 },
		});
		bench.sandbox.fault({ kind: 'resetAfter', after: 2, times: 1 });
		const stopped = await bench.run(parameters, rows);
		expect(shown(stopped).message).toMatch(
			/^13 rows: 8 called, 3 may have been called, 2 not called \(2 refused\)\. Rows 11 to 13 were sent/,
		);

		const retried = await bench.run(parameters, rows, { retryOf: stopped });
		expect(retried.error).toBeUndefined();
		expect(retried.notCalled.map(({ json, pairedItem }) => [json.status, pairedItem])).toEqual([
			['refused', { item: 0 }],
			['refused', { item: 1 }],
		]);
		expect(retried.called.map(({ json }) => json.status)).toEqual([
			...Array<string>(8).fill('initiated'),
			...Array<string>(3).fill('unknown'),
		]);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it('G2 a number that is refused in each of its rows does not end a run that called somebody', async () => {
		const [bad, good] = ['{"name": "Ada"}', '{"name": "Ada", "amount": "1"}'];
		const parameters = bulk({
			agentNumber: AGENT_WITH_PROMPT,
			variablesFrom: 'json',
			promptVariablesJson: '={{ $json.variables }}',
		});
		const run = await bench.run(parameters, [
			{ phone: phone(0), variables: bad },
			{ phone: phone(1), variables: bad },
			{ phone: phone(2), variables: good },
			{ phone: phone(0), variables: bad },
			{ phone: phone(1), variables: bad },
		]);
		expect(run.error).toBeUndefined();
		expect(run.json.map(({ status }) => status)).toEqual([
			'refused',
			'refused',
			'initiated',
			'refused',
			'refused',
		]);
		expect(bench.dialed).toEqual([phone(2)]);
	});

	it('G2 a number whose first row is refused is called for its second one, also when it is the only number', async () => {
		const parameters = bulk({
			agentNumber: AGENT_WITH_PROMPT,
			variablesFrom: 'json',
			promptVariablesJson: '={{ $json.variables }}',
		});
		const run = await bench.run(parameters, [
			{ phone: phone(0), variables: '{"name": "Ada"}' },
			{ phone: phone(0), variables: '{"name": "Ada", "amount": "1"}' },
		]);
		expect(run.error).toBeUndefined();
		expect(run.json.map(({ status }) => status)).toEqual(['refused', 'initiated']);
		expect(bench.dialed).toEqual([phone(0)]);
	});
});

describe.each(settings.slice(1))('On Error = %s', (_, onError) => {
	it('G5 refused, undialed and unknown rows come out once each, paired, in order', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'failed', error: 'Busy' });
		bench.sandbox.fault({
			kind: 'respond',
			status: 422,
			body: { success: false, error: 'Odd' },
			after: 1,
			times: 1,
		});
		bench.sandbox.fault({ kind: 'resetAfter', after: 2, times: 1 });
		const rows = contacts(30).map((row, n) => ({
			...row,
			agent: ['+15550001000', '15550003000', '+15550002000'][Math.floor(n / 10)],
		}));
		const parameters = bulk({
			agentNumber: '={{ $json.agent }}',
			callerNumber: CALLER,
			variablesFrom: 'json',
			promptVariablesJson: '{"name": "", "amount": ""}',
			options: { parallelRequests: 1 },
		});
		const { called, notCalled, errorItems, error, hints } = await bench.run(parameters, rows, {
			onError,
		});
		expect(error).toBeUndefined();
		expect(errorItems).toEqual([]);
		expect(pairs(notCalled)).toEqual([1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
		expect(notCalled.map(({ json }) => [json.status, json.reason])).toEqual([
			['failed', 'Busy'],
			...Array<string[]>(10).fill([
				'refused',
				'The API understood the request but did not carry it out (Odd). This request dialed nobody. Look at the outbound calls page of your dashboard for the reason, or ask your provider.',
			]),
		]);
		expect(pairs(called)).toEqual([
			0, 2, 3, 4, 5, 6, 7, 8, 9, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
		]);
		expect(called.map(({ json }) => json.status)).toEqual([
			...Array<string>(9).fill('initiated'),
			...Array<string>(10).fill('unknown'),
		]);
		expect(hints.map(({ message }) => message)).toEqual([
			'30 rows: 9 called, 10 may have been called, 11 not called (10 refused, 1 failed). Refused: The API understood the request but did not carry it out (Odd). This request dialed nobody. Look at the outbound calls page of your dashboard for the reason, or ask your provider.',
		]);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.sandbox.requests).toHaveLength(3);
	});

	it('when no row can be called, all are on Not Called', async () => {
		const { called, notCalled, errorItems } = await bench.run(
			bulk({ agentNumber: UNKNOWN_AGENT }),
			contacts(3),
			{ onError },
		);
		expect(called).toEqual([]);
		expect(errorItems).toEqual([]);
		expect(pairs(notCalled)).toEqual([0, 1, 2]);
		expect(notCalled.map(({ json }) => json.status)).toEqual(['refused', 'refused', 'refused']);
	});

	it('a duplicate of a row that was refused with all others is not called either', async () => {
		const { notCalled } = await bench.run(
			bulk({ agentNumber: UNKNOWN_AGENT }),
			[...contacts(1), ...contacts(1)],
			{ onError },
		);
		expect(
			notCalled.map(({ json, pairedItem }) => [json.status, json.destination, pairedItem]),
		).toEqual([
			['refused', phone(0), { item: 0 }],
			['duplicate', phone(0), { item: 1 }],
		]);
		expect(notCalled[1]?.json.reason).toBe('Same number as row 1');
		expect(bench.sandbox.requests).toHaveLength(1);
	});
});
