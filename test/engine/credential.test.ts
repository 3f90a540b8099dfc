import { ExecuteContext, RoutingNode } from 'n8n-core';
import {
	createEmptyRunExecutionData,
	type ICredentialTestRequest,
	type INodeType,
	type INodeTypes,
	type IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';
import type { FaultRule, Sandbox } from '../sandbox';
import { sandboxUnderContract } from '../sandbox/contractWatch';
import { node } from '../workflowNode';
import { storeForEach } from './helpers/durableStore';
import { credentialType, describedAs } from './helpers/harness';
import { hostCredentials } from './helpers/hostCredentials';
import { hostData } from './helpers/hostData';
import { closedPort, NAME_THAT_CANNOT_EXIST, otherServer } from './helpers/otherServers';
import { workbench } from './helpers/workbench';
import { all, shown, text, statuses } from './helpers/outcomes';
import { goesOn } from './helpers/onError';
import { bulk, contacts, OPERATIONS, phone } from './helpers/workflows';

interface Tested {
	status: 'OK' | 'Error';
	message: string;
}

interface Thrown {
	message: string;
	cause?: { code?: string; response?: { status: number; statusText: string } };
}

/** Does what the host's credentials tester does with a declared test: runs a node with one routed property through the host's RoutingNode. */
async function testCredential(data: { baseUrl: string; apiToken: string }): Promise<Tested> {
	const type = await credentialType();
	const { request, rules = [] } = type.test as ICredentialTestRequest;
	const nodeType: INodeType = {
		description: describedAs('test', {
			credentials: [{ name: type.name, required: true }],
			properties: [
				{ displayName: 'Temp', name: 'temp', type: 'string', routing: { request }, default: '' },
			],
		}),
	};
	const nodeTypes = {
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
		getKnownTypes: () => ({}),
	} as INodeTypes;
	const credentials = { [type.name]: { id: '1', name: 'API' } };
	const temp = node('Temp-Node', 'test', 1, {}, { credentials });
	const workflow = new Workflow({ nodes: [temp], connections: {}, active: false, nodeTypes });
	const additionalData = {
		...hostData,
		credentialsHelper: hostCredentials(type, { ...data, callbackSecret: '' }),
		currentNodeParameters: {},
	} as unknown as IWorkflowExecuteAdditionalData;
	const context = new ExecuteContext(
		workflow,
		temp,
		additionalData,
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node: temp, data: {}, source: null },
		[],
	);
	const decrypted = { id: '1', name: 'API', type: type.name, data };

	let answer: unknown;
	try {
		answer = (await new RoutingNode(context, nodeType, decrypted).runNode())?.[0]?.[0]?.json;
	} catch (thrown) {
		const { message, cause } = thrown as Thrown;
		if (cause?.response) {
			const { status, statusText } = cause.response;
			const rule = rules.find(
				(each) => each.type === 'responseCode' && each.properties.value === status,
			);
			return {
				status: 'Error',
				message: rule
					? rule.properties.message
					: statusText || `Received HTTP status code: ${status}`,
			};
		}
		return { status: 'Error', message: cause?.code ?? message };
	}
	for (const rule of rules) {
		if (rule.type !== 'responseSuccessBody') continue;
		const { key, value, message } = rule.properties;
		const found =
			typeof answer === 'object' && answer !== null
				? (answer as Record<string, unknown>)[key]
				: undefined;
		if (found === value) return { status: 'Error', message };
	}
	return { status: 'OK', message: 'Connection successful!' };
}

const startSandbox = sandboxUnderContract();
let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ token: 'tk_8d1f03c7_do_not_show' });
});
afterEach(() => {
	sandbox.settings.callingEnabled = true;
	sandbox.reset();
});
afterAll(() => sandbox.close());

const given = (more: object = {}) => ({
	baseUrl: sandbox.baseUrl,
	apiToken: sandbox.token,
	...more,
});

it.each<[string, (url: string) => string]>([
	['as it is', (url) => url],
	['with slashes at its end', (url) => `${url}//`],
	['with spaces around it', (url) => ` ${url} `],
])('a good token is accepted, the Base URL %s, with one harmless request', async (_, baseUrl) => {
	expect(await testCredential(given({ baseUrl: baseUrl(sandbox.baseUrl) }))).toEqual({
		status: 'OK',
		message: 'Connection successful!',
	});
	const path = '/api/v1/outbound/batches/00000000-0000-0000-0000-000000000000';
	const headers = { authorization: `Bearer ${sandbox.token}` };
	expect(sandbox.requests).toMatchObject([{ method: 'GET', path, headers }]);
	expect(sandbox.journal).toEqual([]);
});

const no = { success: false, error: 'x' };
const own = (status: number): FaultRule => ({ kind: 'respond', status, body: no });

describe('each obstacle has a sentence of its own', () => {
	it('a wrong token', async () => {
		const { status, message } = await testCredential(given({ apiToken: 'wrong' }));
		expect(status).toBe('Error');
		expect(message).toMatch(/token was not accepted.*dashboard/);
	});

	it('calling is not enabled', async () => {
		sandbox.settings.callingEnabled = false;
		expect((await testCredential(given())).message).toMatch(
			/token works, but outbound calling is not enabled/,
		);
	});

	it.each<[string, FaultRule]>([
		['a page with 200', { kind: 'respond', status: 200, body: '<html></html>' }],
		['404 of others', { kind: 'respond', status: 404, body: { message: 'no Route matched' } }],
		['nothing', { kind: 'empty', status: 200 }],
	])('something else answers: %s', async (_, fault) => {
		sandbox.fault(fault);
		const { status, message } = await testCredential(given());
		expect(status).toBe('Error');
		expect(message).toMatch(/not the Outbound Calls API.*ends in \/api\/v1\/outbound/);
	});

	it.each([429, 500, 503])('when the API is busy (%d), no token is blamed', async (status) => {
		sandbox.fault(own(status));
		const tested = await testCredential(given());
		expect(tested.status).toBe('Error');
		expect(tested.message).not.toMatch(/token/i);
	});

	it('a redirect is not followed', async () => {
		const elsewhere = await otherServer();
		sandbox.fault({ kind: 'redirect', location: elsewhere.origin });
		const { status } = await testCredential(given());
		await elsewhere.close();
		expect(elsewhere.received).toEqual([]);
		expect(status).toBe('Error');
	});

	it('a server that cannot be reached', async () => {
		expect(await testCredential(given({ baseUrl: await closedPort() }))).toEqual({
			status: 'Error',
			message: 'ECONNREFUSED',
		});
		expect((await testCredential(given({ baseUrl: NAME_THAT_CANNOT_EXIST }))).message).toMatch(
			/ENOTFOUND|EAI_AGAIN/,
		);
	});

	it.each<[string, object, RegExp]>([
		[
			'a public address without encryption',
			{ baseUrl: 'http://example.com/api/v1/outbound' },
			/begins with http:\/\/.*Use https/,
		],
		[
			'a token that no header carries',
			{ apiToken: 'tk_8d1f03c7\ndo_not_show' },
			/API token .* has a character that cannot be sent/,
		],
		['no token', { apiToken: ' ' }, /API token .* is empty/],
	])('%s: nothing is sent', async (_, more, message) => {
		expect(await testCredential(given(more))).toEqual({
			status: 'Error',
			message: expect.stringMatching(message),
		});
		expect(sandbox.requests).toEqual([]);
	});
});

describe('a wrong address', () => {
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
});
