import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const start = (...args: string[]) =>
	spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'main.ts'), ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});

test('the program says where it listens, logs each request and ends cleanly when told to', async () => {
	const program = start('--fault', 'hangAfter:route=call', '--token', 'abc');
	const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
	const line = async (start: string): Promise<string> => {
		for (;;) {
			const { value, done } = await lines.next();
			if (done) throw new Error(`ended without a line starting "${start}"`);
			if (value.startsWith(start)) return value;
		}
	};
	const baseUrl = (await line('Sandbox listening at http://')).split(' ').at(-1) ?? '';
	await line('Token: abc');
	await line('Journal: ');

	const post = (path: string, body: object) =>
		fetch(baseUrl + path, {
			method: 'POST',
			headers: { authorization: 'Bearer abc', 'content-type': 'application/json' },
			body: JSON.stringify({ agent_number: '+15550001000', ...body }),
		});
	expect((await post('/calls/bulk', { destinations: ['+15551110001'] })).status).toBe(201);
	expect(await line('20')).toMatch(
		/POST \/api\/v1\/outbound\/calls\/bulk 201 dialed \+15551110001$/,
	);

	const hung = post('/calls', { destination: '+15551110001' }).catch(() => 'ended');
	const ended = once(program, 'exit');
	program.kill('SIGTERM');
	expect(await ended).toEqual([0, null]);
	expect(await hung).toBe('ended');
});
