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

	async ask(question: string, isHidden = false): Promise<string> {
		process.stdout.write(`${question} `);
		this.hidden = isHidden;
		const answer = await this.lines.question('');
		if (isHidden) process.stdout.write('\n');
		this.hidden = false;
		return answer;
	}

	async agrees(question: string): Promise<boolean> {
		return this.agreesToAll || /^y(es)?$/i.test((await this.ask(`${question} (y/n)`)).trim());
	}

	close(): void {
		this.lines.close();
	}
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const options = {
	...{ 'base-url': text, agent: text, caller: text, phone: text, variables: text },
	...{ 'callback-port': text, wait: text, report: text, yes: flag, help: flag },
};

async function main(): Promise<void> {
	const { values } = parseArgs({ options });
	if (values.help) {
		console.log(HELP);
		return;
	}
	const terminal = new Terminal(values.yes);
	const port = values['callback-port'];
	const callbacks = port === undefined ? undefined : await listenForCallbacks(Number(port));
	const given = async (value: string | undefined, question: string): Promise<string> =>
		value ?? (await terminal.ask(question));
	try {
		const agent = await given(values.agent, 'Agent number (or SIP ID):');
		const setup = readSetup({
			agent,
			baseUrl: await given(values['base-url'], 'Base URL (ends in /api/v1/outbound):'),
			token:
				process.env.OUTBOUND_CALLS_TOKEN ||
				(await terminal.ask('API token (it is not shown):', true)),
			caller: agent.trim().startsWith('t') ? await given(values.caller, 'Caller number:') : '',
			phone: await given(values.phone, 'Your own phone, which alone is called (with +):'),
			variables: await given(values.variables, 'Prompt variables as JSON (empty for none):'),
		});
		if (callbacks)
			terminal.tell(
				`Let a tunnel lead your post-call action to http://127.0.0.1:${callbacks.port}/`,
			);
		const waitMs = Number(values.wait ?? 300) * 1000;
		const contact = new FirstContact(setup, { person: terminal, callbacks, waitMs });
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
