import { Client } from './client';
import { ContractWatch } from './contractWatch';
import { type FaultRule, type Sandbox, startSandbox } from './index';

const A = '+15551110001';

let sandbox: Sandbox;
let client: Client;
const watch = new ContractWatch();
beforeAll(async () => {
	sandbox = await startSandbox({ onOwnAnswer: watch.answer });
	client = new Client(sandbox);
});
afterEach(() => {
	sandbox.reset();
	watch.take();
});
afterAll(() => sandbox.close());

test('the sandbox is caught when it departs from the document', async () => {
	sandbox.destinationOutcome.set(A, { status: 'teleported' as 'failed', error: 'Gone' });
	await client.bulk([A]);
	expect(watch.take()).toEqual([
		expect.stringMatching(/^POST \/calls\/bulk, answer 201: .*\/results\/0\/status/),
	]);
});

test.each<FaultRule>([
	{ kind: 'gateway' },
	{ kind: 'respond', body: { odd: 1 } },
	{ kind: 'truncated' },
	{ kind: 'respond', body: { odd: 1 }, place: true },
])('the sandbox may spoil an answer on purpose: %j', async (rule) => {
	sandbox.fault(rule);
	await client.bulk([A]);
	expect(watch.take()).toEqual([]);
});

test('a client’s request that breaks the rules is found', async () => {
	await client.bulk([A, '0555']);
	watch.requests(sandbox);
	expect(watch.take()).toEqual([
		expect.stringMatching(/^POST \/calls\/bulk, request: .*destinations\/1 must match pattern/),
	]);
});
