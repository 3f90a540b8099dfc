import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sandboxUnderContract } from '../sandbox/contractWatch';
import type { Sandbox, SandboxOptions } from '../sandbox';
import { type AssumptionId, ASSUMPTIONS } from './assumptions';
import { listenForCallbacks } from './callbacks';
import { type ContactOptions, FirstContact } from './firstContact';
import { reportOf } from './report';
import { type GivenAnswers, readSetup } from './setup';
import { pageOf } from '../docs/page';

const startSandbox = sandboxUnderContract();

const TOKEN = 'secret-token-of-the-account';
/** Of a range that Germany keeps for films. */
const OWN_PHONE = '+491713920001';
const AGENT = '+15550002000';

let sandbox: Sandbox;
afterEach(() => sandbox.close());

const given = (more: Partial<GivenAnswers> = {}): GivenAnswers => ({
	baseUrl: sandbox.baseUrl,
	token: TOKEN,
	agent: AGENT,
	caller: '',
	phone: OWN_PHONE,
	variables: '{"name": "Ada", "amount": 5}',
	...more,
});

/** The own phone is answered until the step in which it is to be left alone, and calls to be cancelled wait. */
const person = (
	agrees: (announcement: string) => boolean = () => true,
): ContactOptions['person'] => {
	let announced = '';
	return {
		tell(text) {
			announced = text;
			if (text.includes('Let it ring')) sandbox.callErrors.set(OWN_PHONE, 'No answer');
			if (text.includes('cancels the call')) sandbox.settings.dialAfterMs = 3_600_000;
		},
		agrees: () => Promise.resolve(agrees(announced)),
		done: () => Promise.resolve(),
	};
};

async function contactWith(
	options: SandboxOptions,
	more: Partial<ContactOptions> & { given?: Partial<GivenAnswers> } = {},
) {
	sandbox = await startSandbox({ token: TOKEN, ...options });
	const contact = new FirstContact(readSetup(given(more.given)), {
		person: person(),
		pollMs: 5,
		waitMs: 20,
		...more,
	});
	await contact.run();
	const verdicts = Object.fromEntries(
		(Object.keys(ASSUMPTIONS) as AssumptionId[]).map((id) => [id, contact.findings.of(id).verdict]),
	);
	return {
		contact,
		verdicts,
		report: reportOf(contact, '0.0.0'),
		seen: (id: AssumptionId) => contact.findings.of(id).seen,
	};
}

const dialed = (): string[] => [...new Set(sandbox.journal.map(({ phone }) => phone))];

const ALL_HOLD = {
	token: 'holds',
	'wrong-token': 'holds',
	'unknown-agent': 'holds',
	validation: 'holds',
	'validation-order': 'seen',
	'single-answer': 'holds',
	'single-ids': 'holds',
	'external-call-id': 'holds',
	'bulk-answer': 'holds',
	'bulk-metadata': 'seen',
	answered: 'holds',
	unanswered: 'holds',
	cancelled: 'holds',
	'already-placed': 'holds',
	statuses: 'seen',
	'consent-method': 'seen',
	summary: 'seen',
	'page-parameter': 'holds',
	limits: 'not seen',
	callback: 'not seen',
};

describe('first contact with', () => {
	it('an API that is as we assume it confirms each assumption, and dials the own phone three times', async () => {
		const { verdicts, report, seen } = await contactWith({});
		expect(verdicts).toEqual(ALL_HOLD);
		expect(sandbox.journal.map(({ phone }) => phone)).toEqual([OWN_PHONE, OWN_PHONE, OWN_PHONE]);
		expect(sandbox.journal[0]!.variables).toEqual({ name: 'Ada', amount: '5' });
		expect(seen('statuses')).toBe('called, cancelled');
		expect(seen('validation-order')).toBe(
			'The number is checked before the agent; the number is checked before prompt variables.',
		);
		for (const [id, text] of Object.entries(ASSUMPTIONS))
			expect(report).toContain(`| ${id} | ${text} |`);
	});

	it('another name of the page parameter finds it', async () => {
		const { verdicts, seen } = await contactWith({ pageParameter: 'page_number' });
		expect(verdicts).toEqual({ ...ALL_HOLD, 'page-parameter': 'does not hold' });
		expect(seen('page-parameter')).toBe('It is called page_number.');
		expect(dialed()).toEqual([OWN_PHONE]);
	});

	it('a name of the page parameter that nobody thought of does not guess', async () => {
		const { verdicts, seen } = await contactWith({ pageParameter: 'leaf' });
		expect(verdicts).toEqual({ ...ALL_HOLD, 'page-parameter': 'not seen' });
		expect(seen('page-parameter')).toContain('None of the names');
	});

	it('no IDs in the answer to a single call says so, and follows a call of Bulk Call instead', async () => {
		const { verdicts, seen } = await contactWith({ singleCallIds: false });
		expect(verdicts).toEqual({ ...ALL_HOLD, 'single-ids': 'does not hold' });
		expect(seen('single-ids')).toBe('{}');
		expect(sandbox.journal.map(({ phone }) => phone)).toEqual([
			OWN_PHONE,
			OWN_PHONE,
			OWN_PHONE,
			OWN_PHONE,
		]);
	});

	it.each([
		[
			'afterAgent',
			'The agent is checked before the number; the number is checked before prompt variables.',
		],
		[
			'last',
			'The agent is checked before the number; prompt variables are checked before the number.',
		],
	] as const)('numbers that are checked %s tells the order', async (numbersChecked, order) => {
		const { verdicts, seen } = await contactWith({ numbersChecked });
		expect(verdicts).toEqual(ALL_HOLD);
		expect(seen('validation-order')).toBe(order);
		expect(dialed()).toEqual([OWN_PHONE]);
	});
});

it('what a post-call action sends is told by its names, and without what it says', async () => {
	const callbacks = await listenForCallbacks(0);
	const { verdicts, seen } = await contactWith(
		{ callback: { url: `http://127.0.0.1:${callbacks.port}/`, headers: { 'x-own': 'value' } } },
		{
			callbacks,
			waitMs: 10_000,
			person: person((announcement) => !announcement.includes('cancels the call')),
		},
	);
	await callbacks.close();
	expect(verdicts).toMatchObject({ callback: 'holds' });
	expect(seen('callback')).toContain('x-own');
	expect(seen('callback')).toContain(
		'{"call_id":"<UUID>","metadata":{"external_call_id":"<text>"}}',
	);
	expect(seen('callback')).not.toContain('value');
});

describe('nobody else is ever called:', () => {
	it('a step that is not agreed to is left out', async () => {
		const { verdicts } = await contactWith(
			{},
			{
				person: person((announcement) => !/[Cc]alls your phone|call your phone/.test(announcement)),
			},
		);
		expect(verdicts).toMatchObject({
			validation: 'holds',
			'single-answer': 'not seen',
			'unknown-agent': 'not seen',
			answered: 'not seen',
		});
		expect(sandbox.journal).toEqual([]);
	});

	it.each([
		['a token that is not accepted', { token: 'another-token' }],
		['an account without outbound calling', { callingEnabled: false }],
	])('%s ends it before anything else', async (_, options) => {
		const { verdicts, contact } = await contactWith(options);
		expect(verdicts).toMatchObject({ token: 'does not hold', validation: 'not seen' });
		expect(contact.client.sent).toHaveLength(1);
		expect(sandbox.journal).toEqual([]);
	});

	it('an API that does not clearly refuse what is invalid is asked for nothing more', async () => {
		sandbox = await startSandbox({ token: TOKEN });
		sandbox.fault({
			kind: 'respond',
			route: 'bulk',
			status: 201,
			body: { success: true, results: [] },
			after: 1,
			times: 1,
		});
		const contact = new FirstContact(readSetup(given()), {
			person: person(),
			pollMs: 5,
			waitMs: 20,
		});
		await contact.run();
		expect(contact.findings.of('validation').verdict).toBe('does not hold');
		expect(contact.endedBecause).toContain('not clearly refused');
		expect(contact.client.sent.at(-1)!.about).toBe('no agent and no number');
		expect(sandbox.journal).toEqual([]);
	});

	it('a call of which nobody knows whether it was placed is the last one', async () => {
		sandbox = await startSandbox({ token: TOKEN });
		sandbox.fault({ kind: 'resetAfter', route: 'call' });
		const contact = new FirstContact(readSetup(given()), {
			person: person(),
			pollMs: 5,
			waitMs: 20,
		});
		await contact.run();
		expect(contact.findings.of('single-answer').verdict).toBe('does not hold');
		expect(contact.endedBecause).toContain('Look at your dashboard');
		expect(sandbox.journal.map(({ phone }) => phone)).toEqual([OWN_PHONE]);
	});

	it.each(['0', '112', '+15550100', '+1900555', '+44 909 8790000', 'Ada'])(
		'%s is taken for no phone of one’s own',
		async (phone) => {
			sandbox = await startSandbox({ token: TOKEN });
			expect(() => readSetup(given({ phone }))).toThrow('ordinary phone');
		},
	);
});

it('a refusal for now refutes nothing', async () => {
	sandbox = await startSandbox({ token: TOKEN });
	sandbox.fault({ kind: 'unavailable', route: 'bulk', times: 1 });
	const contact = new FirstContact(readSetup(given()), { person: person(), pollMs: 5, waitMs: 20 });
	await contact.run();
	expect(contact.findings.of('unknown-agent')).toEqual({
		verdict: 'not seen',
		seen: expect.stringMatching(/^503 /),
	});
	expect(contact.findings.of('validation').verdict).toBe('holds');
});

it('a limit that is met stands in the report as the API words it', async () => {
	const { verdicts, seen } = await contactWith({ rateLimit: { requests: 5, windowMs: 3_600_000 } });
	expect(verdicts).toMatchObject({
		'single-answer': 'holds',
		'bulk-answer': 'not seen',
		limits: 'seen',
	});
	expect(seen('limits')).toMatch(/^429, Retry-After \d+ .*"error_type":"rate_limit"/);
});

it('the report holds no secret, also where the API repeats one', async () => {
	sandbox = await startSandbox({ token: TOKEN });
	const tells = {
		success: false,
		error: `${TOKEN} must not call ${OWN_PHONE} at ${sandbox.origin} by ${AGENT.slice(1)}`,
		transcript: 'Hello Ada',
	};
	sandbox.fault({ kind: 'respond', route: 'bulk', status: 400, body: tells, times: 4 });
	const contact = new FirstContact(readSetup(given()), { person: person(), pollMs: 5, waitMs: 20 });
	await contact.run();
	const report = reportOf(contact, '0.0.0');
	expect(report).toContain('must not call');
	const secrets = [
		TOKEN,
		Buffer.from(TOKEN).toString('base64'),
		OWN_PHONE.slice(1),
		AGENT.slice(1),
		new URL(sandbox.baseUrl).host,
		'Ada',
	];
	expect(secrets.filter((secret) => report.includes(secret))).toEqual([]);
	const ids = sandbox.journal.flatMap(({ batchId, consentId }) => [
		batchId,
		`"${consentId}"`,
		`/${consentId}`,
	]);
	expect(ids.length).toBeGreaterThan(0);
	expect(ids.filter((id) => report.includes(id))).toEqual([]);
});

it('docs/maintainers/api.md has each line of the report', () => {
	const table = pageOf(path.join(__dirname, '../../docs/maintainers/api.md')).tables.find(
		({ header }) => header[0] === 'Line',
	)!;
	expect(table.rows.map(([id]) => id)).toEqual(Object.keys(ASSUMPTIONS));
});

it('the program takes its answers from flags and lines, keeps the token to itself, and writes the report', async () => {
	sandbox = await startSandbox({ token: TOKEN, finishAfterMs: 0 });
	const folder = mkdtempSync(path.join(tmpdir(), 'outbound-calls-first-contact-'));
	const report = path.join(folder, 'report.md');
	const program = spawn(
		process.execPath,
		[
			'--import',
			'tsx',
			path.join(__dirname, 'main.ts'),
			'--base-url',
			sandbox.baseUrl,
			'--agent',
			AGENT,
			'--phone',
			OWN_PHONE,
			'--wait',
			'0',
			'--report',
			report,
		],
		{ stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, OUTBOUND_CALLS_TOKEN: '' } },
	);
	let shown = '';
	let asked = 0;
	const answers = [TOKEN, '{"name": "Ada", "amount": "5"}', 'y', 'n', 'y', 'y', 'n', 'n', 'y', 'n'];
	program.stdout.on('data', (chunk) => {
		shown += String(chunk);
		while (asked < (shown.match(/\(it is not shown\):|empty for none\):|\(y\/n\)/g) ?? []).length)
			program.stdin.write(`${answers[asked++]!}\n`);
	});
	expect(await once(program, 'exit')).toEqual([0, null]);
	expect(asked).toBe(answers.length);
	expect(shown).not.toContain(TOKEN);
	expect(sandbox.journal.map(({ phone }) => phone)).toEqual([OWN_PHONE]);
	expect(readFileSync(report, 'utf8')).toContain(
		'| single-answer | A placed single call is answered with a 2xx status and a call_id | holds |',
	);
	rmSync(folder, { recursive: true });
});
