import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { FaultRule } from '../sandbox';
import { storeForEach } from './helpers/durableStore';
import type { RunRequest } from './helpers/harness';
import { closedPort, NAME_THAT_CANNOT_EXIST } from './helpers/otherServers';
import { workbench } from './helpers/workbench';
import {
	AGENT,
	AGENT_WITH_SIP_ID,
	bulk,
	CALLER,
	contacts,
	pairs,
	phone,
	place,
	shown,
	SIP_AGENT,
	UNKNOWN_AGENT,
} from './helpers/workflows';

/** Whatever happens to a run, each row comes out once with what became of it. */
const bench = workbench();
const store = storeForEach();

const settings = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
const continueSettings = settings.slice(1);
const operations = [
	['Bulk Call', bulk],
	['Place Call', place],
] as const;

it.each(settings)('G5 what the API says of its calls decides called (%s)', async (onError) => {
	const ours = ['invalid', 'refused', 'already_called', 'duplicate', 'dry_run'];
	const undialed = ['failed', 'skipped', 'locked', 'rate_limited', 'temporarily_unavailable'];
	const said: Array<[result: IDataObject, called: string]> = [
		[{ success: true, status: 'initiated', call_sid: 'CA-0' }, 'yes'],
		...undialed.map((status): [IDataObject, string] => [{ success: false, status }, 'no']),
		// Proves nothing: it has a call.
		[{ success: false, status: 'failed', call_sid: 'CA-6' }, 'maybe'],
		[{ success: true, status: 'teleported' }, 'yes'],
		[{ success: false, status: 'teleported' }, 'maybe'],
		// Words that the node has for itself prove nothing either when the API says them.
		...ours.map((status): [IDataObject, string] => [{ success: false, status }, 'maybe']),
	];
	const results = said.map(([result], n) => ({
		destination: phone(n),
		consent_id: 100 + n,
		call_sid: null,
		error: result.success ? null : 'Because',
		...result,
	}));
	const body = { success: true, batch_id: '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e', results };
	bench.sandbox.fault({ kind: 'respond', route: 'bulk', status: 201, body });
	const { json, error, errorItems } = await bench.run(bulk(), contacts(said.length), { onError });
	expect([error, errorItems]).toEqual([undefined, []]);
	expect(json.map(({ status, called }) => [status, called])).toEqual(
		said.map(([{ status }, called]) => [status, called]),
	);
	for (const { success, reason } of json) expect(reason).toBe(success ? 'Call started' : 'Because');
});

interface Trouble {
	name: string;
	parameters?: INodeParameters;
	fault?: FaultRule;
	more?: Partial<RunRequest> | (() => Promise<Partial<RunRequest>>);
	memory?: string;
	/** What each row says. */
	reason: RegExp;
	/** Somebody may have been called. */
	maybe?: true;
	/** How many rows can be sent, 4 unless told. */
	people?: number;
}

const option = (options: INodeParameters): INodeParameters => ({ options });
const impatient: INodeParameters = { maxRetryWait: 0 };
const NOT_EVALUATED = '$("Nowhere").first().json.seconds';
const address = async (baseUrl: string | Promise<string>): Promise<Partial<RunRequest>> => ({
	api: { baseUrl: await baseUrl, token: bench.sandbox.token },
});

/** What may be wrong, what each row says of it, and what causes it. */
const trouble = (
	name: string,
	reason: RegExp,
	more: Omit<Trouble, 'name' | 'reason'>,
): Trouble => ({
	name,
	reason,
	...more,
});
const fails = (fault: FaultRule, options: INodeParameters = {}) => ({
	fault,
	parameters: { options },
});
const doubt = (fault: FaultRule) => ({ fault, maybe: true }) as const;
const odd: FaultRule = { kind: 'respond', status: 400, body: { success: false, error: 'Odd' } };

const troubles: Trouble[] = [
	trouble(
		'a credential that cannot be read',
		/^The credential could not be read \(Gone\)\. Choose/,
		{
			more: { credentialProblem: 'Gone' },
		},
	),
	trouble('an option whose expression cannot be evaluated', /^Timeout .*row 1\b.*red/, {
		parameters: option({ timeout: `={{ ${NOT_EVALUATED} }}` }),
	}),
	trouble(
		'an option whose expression cannot be evaluated for one row',
		/^Max Retry Wait .*row 3\b/,
		{
			parameters: option({ maxRetryWait: `={{ $json.amount === 2.5 ? ${NOT_EVALUATED} : 5 }}` }),
		},
	),
	trouble('an option that differs by row', /^Calls per Minute is "60" in row 1 and "5" in row 2/, {
		parameters: option({ callsPerMinute: '={{ $json.amount === 1.5 ? 5 : 60 }}' }),
	}),
	trouble('an option that is empty', /^Parallel Requests is empty\. Enter a number\.$/, {
		parameters: option({ parallelRequests: '={{ $json.missing }}' }),
	}),
	trouble('a choice that there is not', /^Wait Until is "twice"\. It takes/, {
		parameters: { waitUntil: 'twice' },
	}),
	trouble('an unknown agent', /^No agent on your account has the number "\+15550004040"/, {
		parameters: { agentNumber: UNKNOWN_AGENT },
	}),
	trouble('a dead server', /^The server refused the connection\. /, {
		parameters: option(impatient),
		more: () => address(closedPort()),
	}),
	trouble('a name that cannot exist', /^The server’s name could not be found\. /, {
		parameters: option(impatient),
		more: () => address(NAME_THAT_CANNOT_EXIST),
	}),
	trouble('an empty address', /^The Base URL/, { more: () => address('') }),
	trouble(
		'a memory that cannot be used',
		/^The call history .* not available \(SQLITE_BUSY\)\. If/,
		{
			parameters: { calledBefore: 'skip' },
			memory: 'SQLITE_BUSY',
		},
	),
	trouble('a wrong token', /^The API token is/, fails({ kind: 'unauthorized' })),
	trouble('an account without calling', /not enabled/, fails({ kind: 'forbidden' })),
	trouble('a locked account', /account is locked/, fails({ kind: 'accountLocked' })),
	trouble('the daily limit', /^The daily call limit/, fails({ kind: 'dailyLimit' })),
	trouble(
		'a limit that asks for a longer wait than allowed',
		/limit is reached.*60 minutes.*Max Retry Wait/,
		fails({ kind: 'rateLimited', retryAfter: 3_600 }),
	),
	trouble(
		'unavailable calling',
		/temporarily unavailable/,
		fails({ kind: 'unavailable' }, impatient),
	),
	trouble('a text that refuses each row', /did not accept the request \(Odd\)\. /, fails(odd)),
	trouble('a connection that ends', /may have been placed/, doubt({ kind: 'resetAfter' })),
	trouble('a gateway’s page', /web page.*may have been placed/, doubt({ kind: 'gateway' })),
	trouble('a redirect', /redirect.*status 302/, doubt({ kind: 'redirect' })),
	trouble('text', /may have been placed/, doubt({ kind: 'respond', status: 201, body: 'OK' })),
	trouble('a server that hangs', /within 1 second.*may have been placed/, {
		...doubt({ kind: 'hangAfter' }),
		parameters: option({ timeout: 1 }),
		// Place Call waits a second for each, one after the other: nothing of this server says that it is the API.
		people: 2,
	}),
];

describe.each(continueSettings)(
	'G5 with %s nothing is thrown, and every row comes out',
	(onError) => {
		describe.each(operations)('%s', (name, operation) => {
			it.each(troubles)(
				'$name',
				async ({ parameters = {}, fault, more, memory, reason, maybe, people = 4 }) => {
					if (fault) bench.sandbox.fault(fault);
					if (memory !== undefined) store.outOfOrder = memory;
					// Three requests in a row without an answer of the API's own end the run.
					const sent = maybe && name === 'Place Call' ? Math.min(people, 3) : people;
					const rows: IDataObject[] = [...contacts(people), { phone: 'none', name: 'Nobody' }];
					const options = { ...(parameters.options as INodeParameters), includeInputFields: true };
					const run = await bench.run(operation({ ...parameters, options }), rows, {
						...(typeof more === 'function' ? await more() : more),
						onError,
						// n8n runs a node once more whose first item says that it failed.
						retry: { tries: 3, waitMs: 1 },
					});
					expect([run.error, run.errorItems]).toEqual([undefined, []]);
					expect(pairs(run.items)).toEqual(rows.map((_, n) => n));
					for (const [n, json] of run.json.entries()) {
						const isUnknown = maybe && n < sent;
						expect(json).toMatchObject({
							...rows[n],
							status: n === people ? 'invalid' : isUnknown ? 'unknown' : 'refused',
							called: isUnknown ? 'maybe' : 'no',
							success: false,
						});
						if (n < sent) expect(json.reason).toMatch(reason);
						else expect(json.reason).toMatch(/"none"|^3 requests in a row/);
					}
					expect(bench.sandbox.doubleDialed()).toEqual([]);
					expect(run.hints[0]!.message).toMatch(new RegExp(`^0 of ${people + 1} rows called`));
				},
			);
		});

		it('G8 a memory that breaks on the way: who was called is called yes, the others were not', async () => {
			store.written = () => {
				if (bench.dialed.length > 0) store.outOfOrder = 'Gone';
			};
			const parameters = bulk({ calledBefore: 'skip', options: { parallelRequests: 1 } });
			const run = await bench.run(parameters, contacts(250), { onError });
			expect([run.error, run.errorItems]).toEqual([undefined, []]);
			expect(run.called.map(({ json }) => json.destination)).toEqual(bench.dialed);
			expect(run.items).toHaveLength(250);
			expect(run.notCalled.length).toBeGreaterThan(0);
			for (const { json } of run.notCalled)
				expect(json).toMatchObject({
					status: 'refused',
					reason: expect.stringMatching(/^The call history .* not available \(Gone\)/),
				});
		});

		it.each(operations)('%s: 300 rows that are all invalid', async (_, operation) => {
			const rows = contacts(300).map((row, n) => ({ ...row, phone: `0555 010 ${1_000 + n}` }));
			const { json, error, hints } = await bench.run(operation(), rows, { onError });
			expect(error).toBeUndefined();
			expect(json.map(({ status, destination }) => [status, destination])).toEqual(
				rows.map((row) => ['invalid', row.phone]),
			);
			expect(hints[0]!.message).toMatch(/^0 of 300 rows called, 300 not called \(300 invalid\)/);
			expect(bench.sandbox.requests).toEqual([]);
		});
	},
);

describe('G1 with On Error = Stop what concerns the whole run is one message', () => {
	it.each<[string, INodeParameters, RegExp, RegExp]>([
		['an empty agent', { agentNumber: '={{ "" }}' }, /^Agent Number is empty/, /SIP ID/],
		['an empty option', option({ timeout: '={{ null }}' }), /^Timeout is empty/, /number/],
		['a word', option({ timeout: '={{ "a minute" }}' }), /^Timeout is "a minute"/, /number/],
		[
			'an option that differs by row',
			option({ callsPerMinute: '={{ $itemIndex + 1 }}' }),
			/^Calls per Minute.*row 1.*row 2/,
			/one value/,
		],
		[
			'an option that cannot be evaluated',
			option({ timeout: `={{ ${NOT_EVALUATED} }}` }),
			/^Timeout .*row 1\b/,
			/red/,
		],
	])('%s', async (_, parameters, message, remedy) => {
		const ended = shown(await bench.run(bulk(parameters), contacts(3)));
		expect(ended.message).toMatch(message);
		expect(ended.description).toMatch(remedy);
		expect(ended.description).toMatch(/Nobody was called\.$/);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('that names the credential which cannot be read', async () => {
		const ended = shown(await bench.run(bulk(), contacts(3), { credentialProblem: 'Gone' }));
		expect(ended.message).toMatch(/^The credential could not be read \(Gone\)/);
		expect(ended.description).toMatch(/Choose the credential.*Nobody was called\.$/);
	});

	it('that does not tell you to start anew where others were called earlier in the execution', async () => {
		const rows = [...contacts(2), { phone: 'x' }, { phone: 'y' }];
		const invalid = shown(await bench.run(bulk(), rows, { batchSize: 2 }));
		expect(invalid.description).not.toMatch(/Nobody was called/);
		expect(invalid.description).toMatch(/No further call was started.*call everybody again/);
		const remembered = shown(
			await bench.run(bulk({ calledBefore: 'skip' }), rows, { batchSize: 2 }),
		);
		expect(remembered.description).not.toMatch(/Nobody was called|everybody again/);
	});

	it('G8 with a memory, a new run calls only the rest as well', async () => {
		bench.sandbox.fault({ kind: 'forbidden', after: 1, times: 1 });
		const parameters = bulk({ calledBefore: 'skip', options: { parallelRequests: 1 } });
		const rows = [...contacts(24), { phone: 'none' }, { phone: phone(0) }];
		const ended = shown(await bench.run(parameters, rows));
		expect(ended.message).toMatch(
			/^Rows 11 to 20 were not called: .*not enabled.* 10 of 26 rows called, 16 not called/,
		);
		expect(ended.description).toMatch(/press Retry/);
		expect(ended.description).not.toMatch(/everybody again/);
		await bench.run(parameters, rows);
		expect(bench.dialed).toEqual(contacts(24).map((row) => row.phone));
	});
});

describe('Bulk Call', () => {
	const bench = workbench();

	it('G6 25 rows are called with exactly 3 requests and come out in order', async () => {
		const { called, notCalled, error } = await bench.run(bulk(), contacts(25));
		expect(error).toBeUndefined();
		expect(notCalled).toEqual([]);
		expect(
			bench.sandbox.requests.map(({ method, path, dialed }) => [method, path, dialed]),
		).toEqual([10, 10, 5].map((dialed) => ['POST', '/api/v1/outbound/calls/bulk', dialed]));
		expect(called.map(({ json }) => json.destination)).toEqual(
			contacts(25).map((row) => row.phone),
		);
		expect(pairs(called)).toEqual(contacts(25).map((_, n) => n));
	});

	it('a row holds what the API says of its call', async () => {
		const { json } = await bench.run(bulk(), contacts(2));
		expect(json).toEqual(
			bench.sandbox.journal.map((dial) => ({
				status: 'initiated',
				called: 'yes',
				reason: 'Call started',
				destination: dial.phone,
				success: true,
				consent_id: dial.consentId,
				call_sid: dial.callSid,
				batch_id: dial.batchId,
			})),
		);
	});

	it('G2 a number in several rows is called once, and later rows carry its IDs', async () => {
		const { json } = await bench.run(bulk(), [...contacts(12), { phone: phone(3) }]);
		expect(bench.dialed.sort()).toEqual(contacts(12).map((row) => row.phone));
		expect(bench.sandbox.requests).toHaveLength(2);
		expect(json[12]).toEqual({
			...json[3],
			status: 'duplicate',
			called: 'other_row',
			reason: 'Same number as row 4',
		});
	});

	it('G6 two agents get requests of their own', async () => {
		const items = contacts(14).map((row, n) => ({
			...row,
			agent: n % 2 ? AGENT : AGENT_WITH_SIP_ID,
		}));
		const { json } = await bench.run(
			bulk({ agentNumber: '={{ $json.agent }}', callerNumber: CALLER }),
			items,
		);
		const bodies = bench.bodies<{ agent_number: string; destinations: unknown[] }>();
		expect(bodies.map((body) => [body.agent_number, body.destinations.length])).toEqual([
			[AGENT_WITH_SIP_ID, 7],
			[AGENT, 7],
		]);
		expect(json.map(({ destination }) => destination)).toEqual(items.map((row) => row.phone));
	});

	it('agent and caller may come from the row, and a phone number needs no caller', async () => {
		const parameters = bulk({
			agentNumber: '={{ $json.agent }}',
			callerNumber: '={{ $json.from }}',
		});
		await bench.run(parameters, [
			{ phone: phone(1), agent: ` ${SIP_AGENT}`, from: CALLER },
			{ phone: phone(2), agent: AGENT, from: '' },
			{ phone: phone(3), agent: AGENT.slice(1), from: '' },
		]);
		const { journal } = bench.sandbox;
		expect(journal.map(({ agentNumber, callerNumber }) => [agentNumber, callerNumber])).toEqual([
			[SIP_AGENT, CALLER],
			[AGENT, undefined],
			[AGENT, undefined],
		]);
	});
});
