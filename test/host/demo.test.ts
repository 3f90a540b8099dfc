import { parse } from 'csv-parse/sync';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { N8nClient } from './helpers/client';

const contacts = parse<{ name: string; phone: string }>(
	readFileSync(path.join(__dirname, '../../examples/contacts.csv')),
	{ columns: true },
);

class Demo {
	output = '';
	readonly folder = mkdtempSync(path.join(tmpdir(), 'outbound-calls-demo-'));
	readonly status: Promise<number | null>;
	private readonly child: ChildProcess;

	constructor(...args: string[]) {
		const demo = path.join(__dirname, 'demo.ts');
		this.child = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), demo, ...args], {
			cwd: this.folder,
		});
		this.child.stdout!.on('data', (text: Buffer) => (this.output += text.toString()));
		this.child.stderr!.on('data', (text: Buffer) => (this.output += text.toString()));
		this.status = new Promise((resolve) => this.child.once('exit', resolve));
	}

	async says(pattern: RegExp): Promise<RegExpExecArray> {
		for (;;) {
			const found = pattern.exec(this.output);
			if (found) return found;
			if (this.child.exitCode !== null)
				throw new Error(`The demo never said ${pattern.source}:\n${this.output}`);
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
	}

	pressCtrlC() {
		this.child.kill('SIGINT');
	}

	end() {
		this.child.kill('SIGKILL');
		rmSync(this.folder, { recursive: true, force: true });
	}
}

let demo: Demo;

afterEach(() => demo.end());

describe('npm run demo -- --once', () => {
	it('calls every contact once and ends with a table, a file and status 0', async () => {
		demo = new Demo('--once');

		expect({ status: await demo.status, output: demo.output }).toMatchObject({ status: 0 });
		for (const { name, phone } of contacts) {
			expect(demo.output).toMatch(
				new RegExp(
					`│ (initiated │\\s*|duplicate │ Same number as row \\d+\\s*)│ \\${phone}\\s*│ ${name}\\s*│ yes\\s*│`,
				),
			);
		}
		expect(demo.output).toMatch(/Dry run: Nobody was called: Mode is Dry Run\. 27 rows: 25 /);
		expect(demo.output).toContain('27 rows: 25 people called (27 rows), 0 not called');
		expect(demo.output).toContain('25 numbers were dialed, none of them twice');
		expect(demo.output).not.toMatch(/error|problem|failure|mistake/i);

		const results = parse<{
			name: string;
			phone: string;
			status: string;
			reached: string;
			conversation_id: string;
		}>(readFileSync(path.join(demo.folder, 'campaign-results.csv')), { columns: true, bom: true });
		expect(results.map(({ name, phone }) => ({ name, phone }))).toEqual(
			contacts.map(({ name, phone }) => ({ name, phone })),
		);
		expect(results.filter(({ status }) => status === 'duplicate')).toHaveLength(2);
		expect(
			results.filter(
				({ reached, conversation_id }) => reached === 'TRUE' && /^\d+$/.test(conversation_id),
			),
		).toHaveLength(27);
		expect(new Set(results.map(({ conversation_id }) => conversation_id)).size).toBe(25);
	});
});

describe('npm run demo', () => {
	it('leaves the editor open with the campaign in it, which calls nobody as it stands, until Ctrl-C ends everything', async () => {
		demo = new Demo();
		await demo.says(/Press Ctrl-C/);
		const [, url, workflowId] = await demo.says(/Workflow\s+(\S+)\/workflow\/(\w+)/);
		const [, email] = await demo.says(/E-mail\s+(\S+)/);
		const [, password] = await demo.says(/Password\s+(\S+)/);

		const client = new N8nClient(url!);
		await client.logIn({ email: email!, password: password! });
		expect(await client.send('GET', `/workflows/${workflowId}`)).toMatchObject({
			nodes: expect.arrayContaining([
				expect.objectContaining({
					type: 'n8n-nodes-outbound-calls.outboundCalls',
					parameters: expect.objectContaining({ operation: 'bulkCall', mode: 'dryRun' }),
				}),
			]),
		});

		demo.pressCtrlC();
		expect(await demo.status).toBe(0);
		await expect(fetch(url!)).rejects.toThrow('fetch failed');
	});
});
