import { EXECUTION_HEADER } from '../engine/helpers/harness';
import { startSandbox, type Sandbox } from '../sandbox';
import type { Execution } from './executions';
import { seenOf, unmarked } from './journal';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const execution = (mark: string): Execution => ({ mark }) as Execution;

async function place(destination: string, mark?: string): Promise<void> {
	await fetch(`${sandbox.baseUrl}/calls`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${sandbox.token}`,
			'content-type': 'application/json',
			...(mark === undefined ? {} : { [EXECUTION_HEADER]: mark }),
		},
		body: JSON.stringify({ agent_number: '+15550001000', destination }),
	});
}

const phonesOf = (...marks: string[]): string[] =>
	seenOf(sandbox, marks.map(execution)).dials.map(({ phone }) => phone);

it('a request that arrives when the next execution has long begun is the one’s that sent it', async () => {
	await place('+15550100001', 'first');
	await place('+15550100002', 'second');
	await place('+15550100003', 'first');
	expect(phonesOf('first')).toEqual(['+15550100001', '+15550100003']);
	expect(phonesOf('second')).toEqual(['+15550100002']);
	expect(phonesOf('first', 'second')).toHaveLength(3);
	expect(unmarked(sandbox)).toEqual([]);
});

it('a request that no execution sent is nobody’s, and is noticed', async () => {
	await place('+15550100001', 'first');
	await place('+15550100002');
	expect(phonesOf('first')).toEqual(['+15550100001']);
	expect(unmarked(sandbox).map(({ phone }) => phone)).toEqual(['+15550100002']);
});
