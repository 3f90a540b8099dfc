import { writeFileSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { version } from '../../package.json';
import { listenForCallbacks } from './callbacks';
import { FirstContact, type Person } from './firstContact';
import { reportOf } from './report';
import { readSetup } from './setup';

const HELP = `Tries out your account of the Outbound Calls REST API, and writes a report without secrets.
It calls no other phone than yours, up to four times, and asks before each step.

  npm run first-contact -- [options]

What is not given is asked for. The token comes from OUTBOUND_CALLS_TOKEN, or is asked for.

  --base-url URL        ends in /api/v1/outbound
  --agent NUMBER        phone number or SIP ID of your agent
  --caller NUMBER       caller number, for an agent with a SIP ID
  --phone NUMBER        your own phone, with + and its country code
  --variables JSON      what the agent's prompt needs, such as '{"name": "Ada"}'
  --callback-port N     listens there for what a post-call action sends
  --wait SECONDS        for each call, and for callbacks; default: 300
  --report FILE         default: first-contact.md
  --yes                 takes each step without asking
  --help
`;

/** The terminal. What is typed is not shown while `hidden` is set. */
class Terminal implements Person {
	private hidden = false;
	private readonly lines: Interface;

	constructor(private readonly agreesToAll: boolean) {
		const output = new Writable({
			write: (chunk: Buffer, _encoding, done) => {
				if (!this.hidden) process.stdout.write(chunk);
				done();
			},
		});
		this.lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
	}

	tell(text: string): void {
		console.log(text);
	}

	ask(question: string): Promise<string> {
		return this.lines.question(`${question} `);
	}

	async askHidden(question: string): Promise<string> {
		process.stdout.write(`${question} `);
		this.hidden = true;
		const answer = await this.lines.question('');
		this.hidden = false;
		process.stdout.write('\n');
		return answer;
	}

	async agrees(question: string): Promise<boolean> {
		return this.agreesToAll || /^y(es)?$/i.test((await this.ask(`${question} (y/n)`)).trim());
	}

	async done(request: string): Promise<void> {
		if (!this.agreesToAll) await this.ask(request);
	}

	close(): void {
		this.lines.close();
	}
}

async function main(): Promise<void> {
	const text = { type: 'string' } as const;
	const flag = { type: 'boolean', default: false } as const;
	const { values } = parseArgs({
		options: {
			'base-url': text,
			agent: text,
			caller: text,
			phone: text,
			variables: text,
			'callback-port': text,
			wait: text,
			report: text,
			yes: flag,
			help: flag,
		},
	});
	if (values.help) {
		console.log(HELP);
		return;
	}
	const terminal = new Terminal(values.yes);
	const callbacks =
		values['callback-port'] === undefined
			? undefined
			: await listenForCallbacks(Number(values['callback-port']));
	try {
		const agent = values.agent ?? (await terminal.ask('Agent number (or SIP ID):'));
		const setup = readSetup({
			baseUrl: values['base-url'] ?? (await terminal.ask('Base URL (ends in /api/v1/outbound):')),
			token:
				process.env.OUTBOUND_CALLS_TOKEN ||
				(await terminal.askHidden('API token (it is not shown):')),
			agent,
			caller:
				values.caller ?? (agent.trim().startsWith('t') ? await terminal.ask('Caller number:') : ''),
			phone:
				values.phone ??
				(await terminal.ask(
					'Your own phone, the only one that is called (with + and country code):',
				)),
			variables:
				values.variables ?? (await terminal.ask('Prompt variables as JSON (empty for none):')),
		});
		if (callbacks)
			terminal.tell(
				`Let a tunnel lead your post-call action to http://127.0.0.1:${callbacks.port}/`,
			);
		const contact = new FirstContact(setup, {
			person: terminal,
			callbacks,
			waitMs: Number(values.wait ?? 300) * 1000,
		});
		await contact.run();
		const file = values.report ?? 'first-contact.md';
		writeFileSync(file, reportOf(contact, version));
		terminal.tell(`\nThe report is in ${file}.`);
	} finally {
		terminal.close();
		await callbacks?.close();
	}
}

main().catch((thrown: unknown) => {
	console.error(
		`${thrown instanceof Error ? thrown.message : String(thrown)}\nAll options: npm run first-contact -- --help`,
	);
	process.exitCode = 1;
});
