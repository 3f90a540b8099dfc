import { AGENT } from '../engine/helpers/account';
import { Client } from './client';
import { type ApiRequest, Contract } from './contract';
import { readDocument } from './contractDocument';
import { SchemaChecks } from './contractSchemas';
import { ContractWatch } from './contractWatch';
import { type Sandbox, startSandbox } from './index';

const contract = new Contract();
const A = '+15551110001';
const headers = { 'content-type': 'application/json; charset=utf-8' };

const undialed = { destination: A, success: false, consent_id: 1001, call_sid: null, error: 'No' };
const placed = { success: true, batch_id: '6f2b1c9e-0d43-4f5a-9a57-3b8c1e7d2a10', total: 1 };
const bulk = { ...placed, succeeded: 0, failed: 1, results: [{ ...undialed, status: 'locked' }] };
const details = { policy: 'outbound_bulk', retry_after: 3 };
const exhausted = { error: 'mf-core:rate-limit-exceeded', message: 'Later', details };
const refused = { success: false, error: 'Call already placed for this consent' };
const limited = { ...refused, error_type: 'rate_limit', detail: 'Look at the dashboard' };

const NOTHING = /^$/;
test.each<[string, string, number, unknown, RegExp, object?]>([
	['a field that is not shown', '/calls/bulk', 201, { ...bulk, news: 1 }, NOTHING],
	['a refusal with any status', '/consents/1001/cancel', 409, refused, NOTHING],
	['an exhausted allowance', '/calls/bulk', 429, exhausted, NOTHING],
	['a wait', '/calls/bulk', 429, limited, NOTHING, { 'retry-after': '3' }],
	['a wait in words', '/calls/bulk', 429, limited, /must be integer/, { 'retry-after': 'soon' }],
	['no batch_id', '/calls/bulk', 201, { ...bulk, batch_id: undefined }, /'batch_id'/],
	[
		'a failure that is initiated',
		'/calls/bulk',
		201,
		{ ...bulk, results: [{ ...undialed, status: 'initiated' }] },
		/NOT be/,
	],
	['no identifier', '/calls', 201, { success: true }, /'call_id'/],
	['another status', '/calls/bulk', 418, refused, /the status is not documented/],
])('an answer departs from the document: %s', (_, path, status, body, departure, more = {}) => {
	const answer = { method: 'POST', path, status, headers: { ...headers, ...more } };
	const sent: unknown = JSON.parse(JSON.stringify(body));
	expect(contract.answerDepartures({ ...answer, body: sent }).join()).toMatch(departure);
});

// What a body may hold, api.test.ts compares with the sandbox.
const typo = { destination: A, agent_number: AGENT, promptVariables: {} };
test.each<[string, Pick<ApiRequest, 'method' | 'path'>, unknown, RegExp]>([
	['a typo', { method: 'POST', path: '/calls' }, typo, /NOT have unevaluated properties/],
	['a body', { method: 'POST', path: '/consents/1/cancel' }, { id: 1 }, /body is not documented/],
	['page 0', { method: 'GET', path: `/batches/${placed.batch_id}?page=0` }, undefined, />= 1/],
	['another path', { method: 'GET', path: '/batches' }, undefined, /there is no such operation/],
])('a request breaks the rules: %s', (_, place, body, departure) => {
	const found = contract.requestDepartures({ ...place, headers: body ? headers : {}, body });
	expect(found).toEqual([expect.stringMatching(departure)]);
});

const document = readDocument();
const checks = new SchemaChecks(document, undefined, { validateSchema: true });
test.each(Object.entries(document.components.schemas))(
	'the schema %s takes its examples',
	(_, schema) => {
		checks.departures(schema, undefined, 'nothing');
		const { examples = [] } = schema as { examples?: unknown[] };
		const found = examples.flatMap((each) => checks.departures(schema, each, 'example'));
		expect(found).toEqual([]);
	},
);

describe('a watched sandbox', () => {
	const watch = new ContractWatch();
	let sandbox: Sandbox;
	let client: Client;
	beforeAll(async () => {
		sandbox = await startSandbox({ onOwnAnswer: watch.answer });
		client = new Client(sandbox);
	});
	afterEach(() => {
		sandbox.reset();
		watch.take();
	});
	afterAll(() => sandbox.close());

	test('is caught when it departs from the document, and so is its client', async () => {
		sandbox.destinationOutcome.set(A, { status: 'teleported' as 'failed', error: 'Gone' });
		await client.bulk([A]);
		await client.bulk([A, '0555']);
		watch.requests(sandbox);
		expect(watch.take()).toEqual([
			expect.stringMatching(/^POST \/calls\/bulk, answer 201: .*\/results\/0\/status/),
			expect.stringMatching(/^POST \/calls\/bulk, request: .*destinations\/1 must match pattern/),
		]);
	});
});
