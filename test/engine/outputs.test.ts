import { stringify } from 'flatted';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { FaultRule } from '../sandbox';
import { storeForEach } from './helpers/durableStore';
import type { Finished, RunRequest } from './helpers/harness';
import { closedPort, NAME_THAT_CANNOT_EXIST } from './helpers/otherServers';
import { workbench } from './helpers/workbench';
import {
	AGENT_WITH_PROMPT,
	bulk,
	contacts,
	pairs,
	phone,
	place,
	RETRY,
	shown,
	UNKNOWN_AGENT,
} from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const settings: Array<[string, INode['onError']]> = [
	['Stop Workflow', 'stopWorkflow'],
	['Continue', 'continueRegularOutput'],
	['Continue (using error output)', 'continueErrorOutput'],
];
const continueSettings = settings.slice(1);

const operations: Array<[string, (more?: INodeParameters) => INodeParameters]> = [
	['Bulk Call', bulk],
	['Place Call', place],
];

const rowsOf = (items: Finished['items']): unknown[][] =>
	items.map(({ json, pairedItem }) => [(pairedItem as { item: number }).item, json.status]);

/** A bulk answer with these results for phone(0), phone(1), … */
const results = (...said: IDataObject[]): FaultRule => ({
	kind: 'respond',
	route: 'bulk',
	status: 201,
	body: {
		success: true,
		batch_id: '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e',
		results: said.map((result, n) => ({
			destination: phone(n),
			consent_id: 100 + n,
			call_sid: null,
			error: null,
			...result,
		})),
	},
});

describe.each(settings)('G5 with On Error = %s every status is on its output', (_, onError) => {
	it('what the API says of its calls', async () => {
		bench.sandbox.fault(
			results(
				{ success: true, status: 'initiated', call_sid: 'CA-0' },
				...['failed', 'skipped', 'locked', 'rate_limited', 'temporarily_unavailable'].map(
					(status) => ({
						success: false,
						status,
						error: `Is ${status}`,
					}),
				),
				// Proves nothing: it has a call.
				{ success: false, status: 'failed', call_sid: 'CA-6', error: 'Line dropped' },
				{ success: true, status: 'teleported' },
				{ success: false, status: 'teleported', error: 'Beam lost' },
				// Words that the node has for itself prove nothing either when the API says them.
				...['invalid', 'refused', 'already_called', 'duplicate', 'dry_run'].map((status) => ({
					success: true,
					status,
				})),
				...['invalid', 'refused', 'already_called', 'duplicate', 'dry_run'].map((status) => ({
					success: false,
					status,
					error: `Is ${status}`,
				})),
			),
		);
		const run = await bench.run(bulk(), contacts(19), { onError });
		expect(run.error).toBeUndefined();
		expect(run.errorItems).toEqual([]);
		expect(
			run.called.map(({ json, pairedItem }) => [
				pairedItem,
				json.status,
				json.success,
				json.reason,
			]),
		).toEqual([
			[{ item: 0 }, 'initiated', true, null],
			[{ item: 6 }, 'failed', false, 'Line dropped'],
			[{ item: 7 }, 'teleported', true, null],
			[{ item: 8 }, 'teleported', false, 'Beam lost'],
			...['invalid', 'refused', 'already_called', 'duplicate', 'dry_run'].map((status, n) => [
				{ item: 9 + n },
				status,
				true,
				null,
			]),
			...['invalid', 'refused', 'already_called', 'duplicate', 'dry_run'].map((status, n) => [
				{ item: 14 + n },
				status,
				false,
				`Is ${status}`,
			]),
		]);
		expect(
			run.notCalled.map(({ json, pairedItem }) => [
				pairedItem,
				json.status,
				json.success,
				json.reason,
			]),
		).toEqual(
			['failed', 'skipped', 'locked', 'rate_limited', 'temporarily_unavailable'].map(
				(status, n) => [{ item: 1 + n }, status, false, `Is ${status}`],
			),
		);
		expect(run.hints.map(({ message }) => message)).toEqual([
			'19 rows: 7 called, 7 may have been called, 5 not called (1 failed, 1 skipped, 1 locked, 1 rate limited, 1 temporarily unavailable)',
		]);
	});

	it('a row that shares a call goes where the row that was called goes', async () => {
		bench.sandbox.fault(
			results(
				{ success: true, status: 'initiated' },
				{ success: false, status: 'failed', error: 'Busy' },
				{ success: false, status: 'teleported' },
			),
		);
		const run = await bench.run(bulk(), [...contacts(3), ...contacts(3)], { onError });
		expect(rowsOf(run.called)).toEqual([
			[0, 'initiated'],
			[2, 'teleported'],
			[3, 'duplicate'],
			[5, 'duplicate'],
		]);
		expect(rowsOf(run.notCalled)).toEqual([
			[1, 'failed'],
			[4, 'duplicate'],
		]);
		expect(run.json[4]).toEqual({
			...run.json[1],
			status: 'duplicate',
			reason: 'Same number as row 2',
		});
		expect(run.hints.map(({ message }) => message)).toEqual([
			'6 rows: 1 person called (2 rows), 1 person may have been called (2 rows), 2 not called (1 failed, 1 duplicate)',
		]);
	});

	it.each(operations)(
		'%s: people called before, and rows with their number',
		async (__, operation) => {
			const remembering = operation({ calledBefore: 'skip' });
			await bench.run(remembering, [{ phone: phone(1) }]);
			const run = await bench.run(
				remembering,
				[{ phone: phone(1) }, { phone: phone(2) }, { phone: phone(1) }],
				{ onError },
			);
			expect(rowsOf(run.called)).toEqual([[1, 'initiated']]);
			expect(rowsOf(run.notCalled)).toEqual([
				[0, 'already_called'],
				[2, 'duplicate'],
			]);
			expect(run.json[0]?.reason).toBe(
				'An earlier run of this workflow called this number, or may have. If this node has a purpose of its own, see its option Share Memory With.',
			);
			expect(bench.dialed).toEqual([phone(1), phone(2)]);
		},
	);

	it.each(operations)('%s: a dry run puts nothing on Called', async (__, operation) => {
		const run = await bench.run(
			operation({ mode: 'dryRun' }),
			[...contacts(2), { phone: 'none' }, ...contacts(1)],
			{ onError },
		);
		expect(run.error).toBeUndefined();
		expect(run.called).toEqual([]);
		expect(rowsOf(run.notCalled)).toEqual([
			[0, 'dry_run'],
			[1, 'dry_run'],
			[2, 'invalid'],
			[3, 'duplicate'],
		]);
		expect(run.errorItems).toEqual([]);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it.each(operations)(
		'%s: where the mode differs by row, only live rows are called',
		async (__, operation) => {
			const rows = ['live', 'dryRun', ' Live ', 'Lve', ''].map((mode, n) => ({
				phone: phone(n),
				mode,
			}));
			const run = await bench.run(operation({ mode: '={{ $json.mode }}' }), rows, { onError });
			expect(rowsOf(run.called)).toEqual([
				[0, 'initiated'],
				[2, 'initiated'],
			]);
			expect(rowsOf(run.notCalled)).toEqual([
				[1, 'dry_run'],
				[3, 'invalid'],
				[4, 'invalid'],
			]);
			expect(run.json[3]?.reason).toBe(
				'Mode is "Lve", but it must be dryRun, test or live. Choose it from the list, or correct its expression.',
			);
			expect(bench.dialed.sort()).toEqual([phone(0), phone(2)]);
		},
	);

	it.each(operations)('%s: a row that the API refused alone', async (__, operation) => {
		const parameters = operation({
			agentNumber: AGENT_WITH_PROMPT,
			variablesFrom: 'json',
			promptVariablesJson: '={{ $json.variables }}',
		});
		const rows = contacts(3).map((row, n) => ({
			...row,
			variables: n === 1 ? '{"name": "Ada"}' : '{"name": "Ada", "amount": "5"}',
		}));
		const run = await bench.run(parameters, rows, { onError });
		expect(run.error).toBeUndefined();
		expect(rowsOf(run.called)).toEqual([
			[0, 'initiated'],
			[2, 'initiated'],
		]);
		expect(rowsOf(run.notCalled)).toEqual([[1, 'refused']]);
	});

	it('Place Call: a call whose answer has no status, one with a status that nobody has seen, and a row that shares its call', async () => {
		bench.sandbox.fault({
			kind: 'respond',
			route: 'call',
			status: 202,
			body: { call_id: 'c-1' },
			times: 1,
		});
		bench.sandbox.fault({
			kind: 'respond',
			route: 'call',
			status: 202,
			body: { call_id: 'c-2', status: 'teleported' },
			after: 1,
		});
		const run = await bench.run(
			place({ options: { parallelRequests: 1 } }),
			[...contacts(2), ...contacts(2)],
			{ onError },
		);
		expect(rowsOf(run.called)).toEqual([
			[0, 'placed'],
			[1, 'teleported'],
			[2, 'duplicate'],
			[3, 'duplicate'],
		]);
		expect(run.json.map(({ call_id }) => call_id)).toEqual(['c-1', 'c-2', 'c-1', 'c-2']);
		expect(run.notCalled).toEqual([]);
	});

	it.each(operations)(
		'%s: a row without a clear answer is on Called; with Stop, once the run is retried',
		async (__, operation) => {
			bench.sandbox.fault({ kind: 'resetAfter', times: 1 });
			const rows = [...contacts(1), ...contacts(1)];
			let run = await bench.run(operation(), rows, { onError });
			if (onError === 'stopWorkflow') {
				expect(shown(run).message).toMatch(
					/^2 rows: 0 called, 1 person may have been called \(2 rows\), 0 not called\. Row 1 .* was sent without a clear answer: /,
				);
				expect(shown(run).description).toMatch(/\. To go on, open the Executions tab, /);
				run = await bench.run(operation(), rows, { onError, retryOf: run });
			}
			expect(run.error).toBeUndefined();
			expect(rowsOf(run.called)).toEqual([
				[0, 'unknown'],
				[1, 'duplicate'],
			]);
			expect(run.notCalled).toEqual([]);
			expect(run.errorItems).toEqual([]);
			expect(bench.sandbox.requests).toHaveLength(1);
		},
	);

	it.each(operations)(
		'%s: 12 rows of which 4 are bad are 8 on Called and 4 on Not Called, each with its reason',
		async (__, operation) => {
			const rows: IDataObject[] = contacts(12);
			const bad: Array<[number, IDataObject, string]> = [
				[
					1,
					{ phone: '' },
					'The destination is empty. Drag the column with the phone number into Destination, and check that the row has one.',
				],
				[
					4,
					{ phone: '0171 2345678' },
					'The destination "0171 2345678" has no country code. Choose the country under “Country of Numbers Without +”, or write the number with + and its country code.',
				],
				[
					7,
					{ phone: 'n/a' },
					'The destination "n/a" is not a phone number: it has no digits. Check that Destination takes the column with the phone numbers.',
				],
				[
					11,
					{ name: 'x'.repeat(501) },
					'The prompt variable "name" has 501 characters, and the API takes at most 500. Shorten the value of "name".',
				],
			];
			for (const [n, fields] of bad) rows[n] = { ...rows[n], ...fields };
			const run = await bench.run(operation({ variablesFrom: 'input' }), rows, { onError });
			expect(run.error).toBeUndefined();
			expect(run.errorItems).toEqual([]);
			expect(rowsOf(run.called)).toEqual([0, 2, 3, 5, 6, 8, 9, 10].map((n) => [n, 'initiated']));
			expect(rowsOf(run.notCalled)).toEqual([1, 4, 7, 11].map((n) => [n, 'invalid']));
			expect(run.notCalled.map(({ json }) => json.reason)).toEqual(
				bad.map(([, , reason]) => reason),
			);
			expect(run.notCalled.map(({ json }) => json.destination)).toEqual([
				'',
				'0171 2345678',
				'n/a',
				phone(11),
			]);
			expect(bench.dialed.sort()).toEqual([0, 2, 3, 5, 6, 8, 9, 10].map(phone).sort());
			expect(run.hints.map(({ message }) => message)).toEqual([
				'12 rows: 8 called, 4 not called (4 invalid)',
			]);
		},
	);

	it.each(operations)(
		'%s as an agent’s tool: all rows are on the only output that the host takes',
		async (__, operation) => {
			bench.sandbox.destinationOutcome.set(phone(1), {
				status: 'failed',
				error: 'Busy',
				times: operation().operation === 'bulkCall' ? 1 : 0,
			});
			const run = await bench.run(
				operation(),
				[{ phone: phone(0) }, { phone: 'none' }, { phone: phone(1) }],
				{ onError, asTool: true },
			);
			expect(rowsOf(run.items)).toEqual([
				[0, 'initiated'],
				[1, 'invalid'],
				[2, operation().operation === 'bulkCall' ? 'failed' : 'initiated'],
			]);
			expect(run.errorItems).toEqual([]);
		},
	);
});

it('G5 the items of All Rows are those of the other two outputs, so that the record of an execution grows by 6 % at most', async () => {
	const { data } = await bench.run(bulk(), [
		...contacts(150),
		...Array.from({ length: 150 }, () => ({ phone: 'none', name: 'Ada' })),
	]);
	const main = data.resultData.runData.Calls![0]!.data!.main!;
	const [all, called, notCalled] = main.map((items) => items!);
	expect([all, called, notCalled].map((items) => items!.length)).toEqual([300, 150, 150]);
	for (const item of [...called!, ...notCalled!]) expect(all!.includes(item)).toBe(true);
	// As the host stores it: what is there twice is stored once.
	const three = stringify(data).length;
	main.splice(1);
	expect(three / stringify(data).length).toBeLessThan(1.06);
});

describe('300 rows of which none can be called', () => {
	const rows = contacts(300).map((row, n) => ({ ...row, phone: `0555 010 ${1_000 + n}` }));

	it.each(operations)(
		'G1 %s with Stop: one message names the first row and the remedy',
		async (_, operation) => {
			const run = await bench.run(operation(), rows);
			expect(shown(run)).toEqual({
				message:
					'None of the 300 rows can be called. Row 1: the destination "•••• ••• 1000" has no country code',
				description:
					'Choose the country under “Country of Numbers Without +”, or write the number with + and its country code. Nobody was called.',
				httpCode: null,
			});
			expect([run.called, run.notCalled, run.errorItems]).toEqual([[], [], []]);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	it.each(
		operations.flatMap(([name, operation]) =>
			continueSettings.map(([setting, onError]) => [name, setting, operation, onError] as const),
		),
	)(
		'G5 %s with %s: 300 rows on Not Called, each with its reason',
		async (_, __, operation, onError) => {
			const run = await bench.run(operation(), rows, { onError });
			expect(run.error).toBeUndefined();
			expect([run.called, run.errorItems]).toEqual([[], []]);
			expect(
				run.notCalled.map(({ json, pairedItem }) => [
					pairedItem,
					json.status,
					json.destination,
					json.reason,
				]),
			).toEqual(
				rows.map((row, n) => [
					{ item: n },
					'invalid',
					row.phone,
					`The destination "${row.phone}" has no country code. Choose the country under “Country of Numbers Without +”, or write the number with + and its country code.`,
				]),
			);
			expect(run.hints.map(({ message }) => message)).toEqual([
				'300 rows: 0 called, 300 not called (300 invalid)',
			]);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	it('a field of the panel that keeps all back is named, and no row', async () => {
		const run = await bench.run(bulk({ agentNumber: '={{ $json.agent }}' }), rows);
		expect(shown(run).message).toBe('Agent Number is empty');
		expect(shown(run).description).toBe(
			'Enter the agent’s phone number or its SIP ID in Agent Number. Nobody was called.',
		);
	});
});

const NO_OPERATION_RESOLVES = '={{ $("Nowhere").first().json.seconds }}';
const RED = 'Look at it in this node: the editor shows it in red.';

interface Trouble {
	name: string;
	parameters?: INodeParameters;
	fault?: FaultRule;
	more?: Partial<RunRequest> | (() => Promise<Partial<RunRequest>>);
	memory?: string;
	/** What each row says; where somebody may have been called, the rows are unknown, otherwise refused. */
	reason: RegExp;
	maybe?: true;
	/** How many rows can be sent, 12 unless told. */
	people?: number;
	/** Its answers are not the API's own. */
	foreign?: true;
}

const impatient: INodeParameters = { maxRetryWait: 0 };
const address = async (baseUrl: string | Promise<string>): Promise<Partial<RunRequest>> => ({
	api: { baseUrl: await baseUrl, token: bench.sandbox.token },
});

const troubles: Trouble[] = [
	{
		name: 'a credential that cannot be read',
		more: { credentialProblem: 'Credentials could not be decrypted' },
		reason:
			/^The credential could not be read \(Credentials could not be decrypted\)\. Choose the credential again in this node, or save it anew\.$/,
	},
	{
		name: 'an option whose expression throws',
		parameters: { options: { timeout: NO_OPERATION_RESOLVES } },
		reason:
			/^Timeout holds an expression that could not be resolved for row 1 \(.*\)\. Look at it in this node: the editor shows it in red\.$/,
	},
	{
		name: 'an option whose expression throws for one row only',
		parameters: {
			options: {
				maxRetryWait: '={{ $json.amount === 7.5 ? $("Nowhere").first().json.seconds : 5 }}',
			},
		},
		reason:
			/^Max Retry Wait holds an expression that could not be resolved for row 8 \(.*\)\. Look at it in this node/,
	},
	{
		name: 'an option that differs by row',
		parameters: { options: { callsPerMinute: '={{ $json.amount === 9.5 ? 5 : 60 }}' } },
		reason:
			/^Calls per Minute is "60" in row 1 and "5" in row 10, but it counts for the whole run\. Give it one value for all rows\.$/,
	},
	{
		name: 'an option that is empty',
		parameters: { options: { parallelRequests: '={{ $json.missing }}' } },
		reason: /^Parallel Requests is empty\. Enter a number\.$/,
	},
	{
		name: 'a choice that there is not',
		parameters: { options: { duplicates: '={{ "twice" }}' } },
		reason: /^Duplicates is "twice", which cannot be used\. It takes “callOnce” or “callEach”\.$/,
	},
	{
		name: 'a setting of the memory that there is not',
		parameters: { calledBefore: '={{ "" }}' },
		reason: /^People Called Before is empty\. It takes “skip” or “callAgain”\.$/,
	},
	{
		name: 'an unknown agent',
		parameters: { agentNumber: UNKNOWN_AGENT },
		reason: /^No agent on your account has the number "\+15550004040"/,
	},
	{
		name: 'a dead server',
		parameters: { options: impatient },
		more: () => address(closedPort()),
		reason: /^The server refused the connection\. /,
	},
	{
		name: 'a name that cannot exist',
		parameters: { options: impatient },
		more: () => address(NAME_THAT_CANNOT_EXIST),
		reason: /^The server’s name could not be found\. /,
	},
	{
		name: 'an empty address',
		more: () => address(''),
		reason: /^The Base URL in the credential is not a web address\. /,
	},
	{
		name: 'an address that is none',
		more: () => address('not an address'),
		reason: /^The Base URL in the credential is not a web address\. /,
	},
	{
		name: 'a memory that cannot be used',
		parameters: { calledBefore: 'skip' },
		memory: 'SQLITE_BUSY: database is locked',
		reason:
			/^n8n’s memory of the people called could not be used \(SQLITE_BUSY: database is locked\)\. If this workflow is new, save it/,
	},
	{
		name: 'a token that is not valid',
		fault: { kind: 'unauthorized' },
		reason: /^The API token is missing or not valid\. /,
	},
	{
		name: 'an account that may not call',
		fault: { kind: 'forbidden' },
		reason: /^Outbound calling is not enabled for your account\. /,
	},
	{
		name: 'a locked account',
		fault: { kind: 'accountLocked' },
		reason: /^Your account is locked for calling \(Account is locked\)\. /,
	},
	{
		name: 'the daily limit',
		fault: { kind: 'dailyLimit' },
		reason: /^The daily call limit of your account is reached/,
	},
	{
		name: 'a limit that asks for a longer wait than allowed',
		fault: { kind: 'rateLimited', retryAfter: 3_600 },
		reason:
			/^Your account’s outbound calling limit is reached for the moment\. Wait 60 minutes first: .*Max Retry Wait \(5 minutes in all\)\. The API adds: Request a higher daily limit on the outbound page of the dashboard\.$/,
	},
	{
		name: 'calling that is unavailable',
		parameters: { options: impatient },
		fault: { kind: 'unavailable' },
		reason: /^Outbound calling is temporarily unavailable\. /,
	},
	{
		name: 'a text that refuses each row',
		fault: { kind: 'respond', status: 400, body: { success: false, error: 'Odd' } },
		reason: /^The API did not accept the request \(Odd\)\. /,
	},
	{
		name: 'a connection that ends',
		fault: { kind: 'resetAfter' },
		reason: /^The connection ended before the API’s answer was complete, so the call/,
		maybe: true,
	},
	{
		name: 'a gateway’s page',
		fault: { kind: 'gateway' },
		reason: /^The server answered with a web page .* so the calls? may have been placed\. /,
		maybe: true,
		foreign: true,
	},
	{
		name: 'a redirect',
		fault: { kind: 'redirect' },
		reason: /^The server redirects to another address \(status 302\)/,
		maybe: true,
		foreign: true,
	},
	{
		name: 'nothing but text',
		fault: { kind: 'respond', status: 201, body: 'OK' },
		reason: /may have been placed/,
		maybe: true,
		foreign: true,
	},
	{
		name: 'a server that hangs',
		parameters: { options: { timeout: 1, parallelRequests: 10 } },
		fault: { kind: 'hangAfter' },
		reason: /^The API did not answer within 1 second, so the calls? may have been placed\. /,
		maybe: true,
		// Place Call waits a second for each, one after the other: nothing of this server says that it is the API.
		people: 2,
	},
];

describe.each(continueSettings)(
	'G5 with On Error = %s nothing is thrown, and every row comes out once, paired, never as the input was',
	(_, onError) => {
		describe.each(operations)('%s', (name, operation) => {
			it.each(troubles)(
				'$name',
				async ({ parameters = {}, fault, more, memory, reason, maybe, foreign, people = 12 }) => {
					// Three answers in a row that are not the API's own end the run.
					const sent = foreign && name === 'Place Call' ? 3 : people;
					const isMaybe = (n: number): boolean => maybe === true && n < sent;
					if (fault) bench.sandbox.fault(fault);
					if (memory !== undefined) store.outOfOrder = memory;
					const rows: IDataObject[] = [
						...contacts(people),
						{ phone: 'none', name: 'Nobody', amount: 0 },
					];
					const options = {
						...(parameters.options as INodeParameters | undefined),
						includeInputFields: true,
					};
					const run = await bench.run(operation({ ...parameters, options }), rows, {
						...(typeof more === 'function' ? await more() : more),
						onError,
						// The host runs a node once more whose first item says that it failed.
						retry: { tries: 3, waitMs: 1 },
					});
					expect(run.error).toBeUndefined();
					expect(run.errorItems).toEqual([]);
					expect(pairs(maybe ? run.called : run.notCalled.slice(0, people))).toEqual(
						contacts(sent).map((__, n) => n),
					);
					expect(pairs(run.items)).toEqual(rows.map((__, n) => n));
					const ids =
						name === 'Bulk Call'
							? { consent_id: null, call_sid: null, batch_id: null }
							: { call_id: null };
					for (const [n, { json }] of run.items.entries()) {
						expect(json).toEqual({
							status: n === people ? 'invalid' : isMaybe(n) ? 'unknown' : 'refused',
							called: isMaybe(n) ? 'maybe' : 'no',
							reason:
								n === people
									? expect.stringMatching(
											/^The destination "none" is not a phone number: it has no digits\. /,
										)
									: expect.stringMatching(
											n < sent ? reason : /^3 answers in a row did not come from the API/,
										),
							destination: rows[n]!.phone,
							...rows[n],
							...(n === people ? { destination: 'none' } : {}),
							success: false,
							...ids,
						});
					}
					expect(bench.sandbox.doubleDialed()).toEqual([]);
					// What holds for all of them is told once above the table, too.
					const refused = new Set(
						run.items
							.filter(({ json }) => json.status === 'refused')
							.map(({ json }) => json.reason as string),
					);
					expect(run.hints.map(({ message }) => message.replace(/\. Refused: .*/s, ''))).toEqual([
						maybe && sent === 3
							? `${people + 1} rows: 0 called, 3 may have been called, ${people - 2} not called (${people - 3} refused, 1 invalid)`
							: maybe
								? `${people + 1} rows: 0 called, ${people} may have been called, 1 not called (1 invalid)`
								: `${people + 1} rows: 0 called, ${people + 1} not called (${people} refused, 1 invalid)`,
					]);
					expect(run.hints[0]!.message.split('. Refused: ').slice(1)).toEqual(
						refused.size === 1 ? [...refused] : [],
					);
				},
			);
		});

		it('a memory that breaks on the way: who was called is on Called, the others are not called', async () => {
			store.written = () => {
				// The first write asks for the mark of a dry run.
				if (store.writes === 2) store.outOfOrder = 'Gone';
			};
			const run = await bench.run(
				bulk({ calledBefore: 'skip', options: { parallelRequests: 1 } }),
				contacts(25),
				{ onError },
			);
			expect(run.error).toBeUndefined();
			expect(run.errorItems).toEqual([]);
			expect(rowsOf(run.called)).toEqual(contacts(10).map((__, n) => [n, 'initiated']));
			expect(rowsOf(run.notCalled)).toEqual(contacts(15).map((__, n) => [n + 10, 'refused']));
			for (const { json } of run.notCalled)
				expect(json.reason).toMatch(
					/^n8n’s memory of the people called could not be used \(Gone\)\. /,
				);
			expect(bench.dialed).toEqual(contacts(10).map((row) => row.phone));
		});

		it.each(operations)(
			'%s in a dry run: an option that cannot be used is told, and no row claims that it would be called',
			async (__, operation) => {
				const run = await bench.run(
					operation({ mode: 'dryRun', options: { timeout: '={{ "" }}' } }),
					contacts(2),
					{ onError },
				);
				expect(run.called).toEqual([]);
				expect(
					run.notCalled.map(({ json, pairedItem }) => [pairedItem, json.status, json.reason]),
				).toEqual([
					[{ item: 0 }, 'refused', 'Timeout is empty. Enter a number.'],
					[{ item: 1 }, 'refused', 'Timeout is empty. Enter a number.'],
				]);
				expect(run.hints.map(({ message }) => message)).toEqual([
					'Nobody was called: Mode is Dry Run. 2 rows: 0 would be called, 2 not (2 held back: see reason). Reason: Timeout is empty. Enter a number.',
				]);
			},
		);

		it.each(operations)(
			'%s in a dry run does not need a credential that can be read',
			async (__, operation) => {
				const rows = contacts(2).map((row, n) => ({ ...row, mode: ['dryRun', 'live'][n]! }));
				const run = await bench.run(operation({ mode: '={{ $json.mode }}' }), rows, {
					onError,
					credentialProblem: 'Gone',
				});
				expect(rowsOf(run.notCalled)).toEqual([
					[0, 'dry_run'],
					[1, 'refused'],
				]);
			},
		);

		it('an operation of a newer version: every item says so', async () => {
			const run = await bench.run({ ...bulk(), operation: 'transferCall' }, contacts(2), {
				onError,
			});
			expect(run.error).toBeUndefined();
			const items = onError === 'continueErrorOutput' ? run.errorItems : run.items;
			expect(pairs(items)).toEqual([0, 1]);
			for (const { json } of items) {
				expect(json.error).toBe(
					'This version of the node has no operation “transferCall” for “call”. Nobody was called. Choose an operation in the node, or update the node.',
				);
			}
			expect(bench.sandbox.requests).toEqual([]);
		});
	},
);

describe('with On Error = Stop a message of the whole run', () => {
	const nobody = (remedy: string): string => `${remedy} Nobody was called.`;

	it.each<[string, INodeParameters, string, string]>([
		[
			'the agent',
			{ agentNumber: '={{ "" }}' },
			'Agent Number is empty',
			'Enter the agent’s phone number or its SIP ID in Agent Number.',
		],
		[
			'the calls per minute',
			{ options: { callsPerMinute: '={{ "" }}' } },
			'Calls per Minute is empty',
			'Enter a number.',
		],
		['the timeout', { options: { timeout: '={{ null }}' } }, 'Timeout is empty', 'Enter a number.'],
		[
			'the wait',
			{ options: { maxRetryWait: '={{ $json.missing }}' } },
			'Max Retry Wait is empty',
			'Enter a number.',
		],
		[
			'the timeout as a word',
			{ options: { timeout: '={{ "a minute" }}' } },
			'Timeout is "a minute", which cannot be used',
			'Enter a number.',
		],
		[
			'the calls per minute that differ',
			{ options: { callsPerMinute: '={{ $itemIndex + 1 }}' } },
			'Calls per Minute is "1" in row 1 and "2" in row 2, but it counts for the whole run',
			'Give it one value for all rows.',
		],
		[
			'the timeout that throws',
			{ options: { timeout: NO_OPERATION_RESOLVES } },
			"Timeout holds an expression that could not be resolved for row 1 (Referenced node doesn't exist)",
			RED,
		],
	])('names %s as a field or an option, not a row', async (_, parameters, message, remedy) => {
		for (const mode of ['live', 'dryRun']) {
			const run = await bench.run(bulk({ mode, ...parameters }), contacts(3));
			if (mode === 'dryRun' && parameters.agentNumber !== undefined) {
				expect(rowsOf(run.notCalled)).toEqual([0, 1, 2].map((n) => [n, 'invalid']));
			} else expect(shown(run)).toEqual({ message, description: nobody(remedy), httpCode: null });
		}
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('names the credential that cannot be read', async () => {
		expect(shown(await bench.run(bulk(), contacts(3), { credentialProblem: 'Gone' }))).toEqual({
			message: 'The credential could not be read (Gone)',
			description: nobody('Choose the credential again in this node, or save it anew.'),
			httpCode: null,
		});
	});

	it('counts people and says what to do, then what to press; the memory makes a new run safe, too', async () => {
		bench.sandbox.fault({ kind: 'forbidden', after: 1, times: 1 });
		const parameters = bulk({ calledBefore: 'skip', options: { parallelRequests: 1 } });
		const rows = [...contacts(24), { phone: 'none' }, { phone: phone(0) }, { phone: phone(23) }];
		const ended = shown(await bench.run(parameters, rows));
		expect(ended).toEqual({
			message:
				'27 rows: 10 people called (11 rows), 16 not called (10 refused, 5 not sent, 1 invalid). Rows 11 to 20 were not called: outbound calling is not enabled for your account. Rows 21 to 24 and 27 were not sent',
			description: `Have it enabled on the outbound calls page of your dashboard or by your provider.${RETRY.replace(/ “Execute.*$/, '')}`,
			httpCode: '403',
		});
		const again = await bench.run(parameters, rows);
		expect(bench.dialed).toEqual(contacts(24).map((row) => row.phone));
		expect(pairs(again.called)).toEqual([...contacts(14).map((_, n) => n + 10), 26]);
	});

	it('after nobody was called says that executing again is safe', async () => {
		bench.sandbox.fault({ kind: 'unauthorized' });
		const ended = shown(await bench.run(bulk(), contacts(2)));
		expect(ended.message).toBe(
			'2 rows: 0 called, 2 not called (2 refused). Rows 1 and 2 were not called: the API token is missing or not valid',
		);
		expect(ended.description).toMatch(
			/^Copy the API token .* Nobody was called, so executing again is safe\.$/,
		);
		expect(ended.description).not.toMatch(/Retry|everybody/);
	});

	describe('that calls nobody, after others were called earlier in the execution,', () => {
		const LOCKED =
			'Look at the outbound calls page of your dashboard for the reason, or ask your provider.';
		const EARLIER = 'No further call was started: people were called earlier in this execution.';
		const ANEW = ' “Execute workflow” would start a new run and call everybody again.';

		it.each([
			['a loop’s first round', { batchSize: 2 }],
			['another node', { nodeBefore: bulk() }],
		])(
			'says that Retry goes on and a new run calls them again, where it was %s that called',
			async (_, request) => {
				bench.sandbox.fault({ kind: 'accountLocked', after: 1 });
				const ended = shown(
					await bench.run(
						bulk({ destination: '={{ $json.phone ?? $json.destination }}' }),
						contacts(4),
						request,
					),
				);
				expect(ended.message).toMatch(
					/: 0 called, \d not called \(\d refused\)\. Rows .* were not called: your account is locked for calling/,
				);
				expect(ended.description).toBe(`${LOCKED}${RETRY}`);
			},
		);

		it('says the same where every row of a later round is invalid, or the node before called and this one cannot begin', async () => {
			const invalid = shown(
				await bench.run(bulk(), [...contacts(2), { phone: 'x' }, { phone: 'y' }], { batchSize: 2 }),
			);
			expect(invalid.description).toBe(
				`Check that Destination takes the column with the phone numbers. ${EARLIER}${ANEW}`,
			);
			const empty = shown(
				await bench.run(bulk({ options: { timeout: '={{ "" }}' } }), contacts(2), {
					nodeBefore: bulk(),
				}),
			);
			expect(empty.description).toBe(`Enter a number. ${EARLIER}${ANEW}`);
		});

		it('in a sub-workflow without a memory does not say that executing again is safe: its parent may have had others called', async () => {
			const ended = async (calledBefore: string): Promise<string> => {
				bench.sandbox.fault({ kind: 'accountLocked', times: 1 });
				return shown(await bench.run(bulk({ calledBefore }), contacts(1), { mode: 'integrated' }))
					.description;
			};
			expect(await ended('callAgain')).toBe(
				`${LOCKED} Nobody was called in this execution of the sub-workflow.`,
			);
			expect(await ended('skip')).toBe(`${LOCKED} Nobody was called, so executing again is safe.`);
		});

		it('does not say so of a memory, which makes a new run safe', async () => {
			const remembers = bulk({ calledBefore: 'skip' });
			const invalid = shown(
				await bench.run(remembers, [...contacts(2), { phone: 'x' }, { phone: 'y' }], {
					batchSize: 2,
				}),
			);
			expect(invalid.description).toBe(
				`Check that Destination takes the column with the phone numbers. ${EARLIER}`,
			);
		});
	});

	it('after a memory that cannot be used names it, and nobody was called', async () => {
		store.outOfOrder = 'SQLITE_BUSY: database is locked';
		const ended = shown(await bench.run(bulk({ calledBefore: 'skip' }), contacts(2)));
		expect(ended.message).toBe(
			'2 rows: 0 called, 2 not called (2 refused). Rows 1 and 2 were not called: n8n’s memory of the people called could not be used (SQLITE_BUSY: database is locked)',
		);
		expect(ended.description).toMatch(/ Nobody was called, so executing again is safe\.$/);
		expect(bench.sandbox.requests).toEqual([]);
	});
});
