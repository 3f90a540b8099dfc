import { sandboxUnderContract } from '../sandbox/contractWatch';
import type { FaultRule, Sandbox, SandboxOptions } from '../sandbox';
import { type AssumptionId, ASSUMPTIONS } from './assumptions';
import { listenForCallbacks } from './callbacks';
import { type ContactOptions, FirstContact } from './firstContact';
import { reportOf } from './report';
import { readSetup } from './setup';

const startSandbox = sandboxUnderContract();

const TOKEN = 'secret-token-of-the-account';
/** Of a range that Germany keeps for films. */
const OWN_PHONE = '+491713920001';
const AGENT = '+15550002000';

let sandbox: Sandbox;
afterEach(() => sandbox.close());

/** The own phone is answered until the step in which it is to be left alone, and calls to be cancelled wait. */
const person = (agrees: (announcement: string) => boolean): ContactOptions['person'] => {
	let announced = '';
	return {
		tell(text) {
			announced = text;
			if (text.includes('Let it ring')) sandbox.callErrors.set(OWN_PHONE, 'No answer');
			if (text.includes('cancels the call')) sandbox.settings.dialAfterMs = 3_600_000;
		},
		agrees: () => Promise.resolve(agrees(announced)),
	};
};

async function contactWith(
	options: SandboxOptions = {},
	{
		fault,
		agrees = () => true,
		...more
	}: {
		fault?: FaultRule;
		agrees?: (announcement: string) => boolean;
	} & Partial<ContactOptions> = {},
) {
	sandbox = await startSandbox({ token: TOKEN, ...options });
	if (fault) sandbox.fault(fault);
	const variables = '{"name": "Ada", "amount": 5}';
	const given = { baseUrl: sandbox.baseUrl, token: TOKEN, agent: AGENT, caller: '', variables };
	const setup = readSetup({ ...given, phone: OWN_PHONE });
	const contact = new FirstContact(setup, {
		person: person(agrees),
		pollMs: 5,
		waitMs: 20,
		...more,
	});
	await contact.run();
	const ids = Object.keys(ASSUMPTIONS) as AssumptionId[];
	return {
		contact,
		verdicts: Object.fromEntries(ids.map((id) => [id, contact.findings.of(id).verdict])),
		report: reportOf(contact, '0.0.0'),
		seen: (id: AssumptionId) => contact.findings.of(id).seen,
	};
}

const dialed = (): string[] => sandbox.journal.map(({ phone }) => phone);

const NOT_ASSUMED = { 'validation-order': 'seen', 'bulk-metadata': 'seen', statuses: 'seen' };
const ALL_HOLD: Record<string, string> = {
	...Object.fromEntries(Object.keys(ASSUMPTIONS).map((id) => [id, 'holds'])),
	...{ ...NOT_ASSUMED, 'consent-method': 'seen', summary: 'seen' },
	...{ limits: 'not seen', callback: 'not seen' },
};

describe('first contact with', () => {
	it('an API that is as we assume it confirms each assumption, and dials the own phone three times', async () => {
		const { verdicts, report, seen } = await contactWith();
		expect(verdicts).toEqual(ALL_HOLD);
		expect(dialed()).toEqual(Array(3).fill(OWN_PHONE));
		expect(sandbox.journal[0]!.variables).toEqual({ name: 'Ada', amount: '5' });
		expect(seen('statuses')).toBe('called · cancelled');
		for (const [id, text] of Object.entries(ASSUMPTIONS))
			expect(report).toContain(`| ${id} | ${text} |`);
	});

	it('a post-call action tells its names, and not what it says', async () => {
		const callbacks = await listenForCallbacks(0);
		const callback = { url: `http://127.0.0.1:${callbacks.port}/`, headers: { 'x-own': 'value' } };
		const agrees = (announcement: string) => !announcement.includes('cancels the call');
		const { verdicts, seen } = await contactWith(
			{ callback },
			{ callbacks, agrees, waitMs: 10_000 },
		);
		await callbacks.close();
		expect(verdicts).toMatchObject({ callback: 'holds' });
		expect(seen('callback')).toMatch(/x-own.*"call_id":"<UUID>".*"external_call_id":"<text>"/);
		expect(seen('callback')).not.toContain('value');
	});
});

describe('nobody else is ever called:', () => {
	it('a step that is not agreed to is left out', async () => {
		const agrees = (announcement: string) => !/calls? your phone/i.test(announcement);
		const { verdicts } = await contactWith({}, { agrees });
		expect(verdicts).toMatchObject({ validation: 'holds', 'single-answer': 'not seen' });
		expect(dialed()).toEqual([]);
	});

	it('a token that is not accepted ends it before anything else', async () => {
		const { verdicts, contact, report } = await contactWith({ token: 'another-token' });
		expect(verdicts).toMatchObject({ token: 'does not hold', validation: 'not seen' });
		expect(contact.client.sent).toHaveLength(1);
		expect(report).toMatch(/It ended early: .*token/);
	});

	it('an API that does not clearly refuse what is invalid is asked for nothing more', async () => {
		const body = { success: true, results: [] };
		const when = { route: 'bulk', after: 1, times: 1 } as const;
		const fault = { kind: 'respond', status: 201, body, ...when } as const;
		const { contact, verdicts } = await contactWith({}, { fault });
		expect(verdicts).toMatchObject({ validation: 'does not hold' });
		expect(contact.endedBecause).toContain('not clearly refused');
		expect(dialed()).toEqual([]);
	});

	it.each(['0', '112', '+15550100', '+1900555', '+44 909 8790000', 'Ada'])(
		'%s is taken for no phone of one’s own',
		async (phone) => {
			sandbox = await startSandbox();
			const given = { baseUrl: sandbox.baseUrl, token: TOKEN, agent: AGENT, caller: '' };
			expect(() => readSetup({ ...given, variables: '', phone })).toThrow('ordinary phone');
		},
	);
});

it('the report holds no secret, also where the API repeats one', async () => {
	const error = `${TOKEN} must not call ${OWN_PHONE} by ${AGENT.slice(1)}`;
	const body = { success: false, error, transcript: 'Hello Ada' };
	const { report } = await contactWith(
		{},
		{ fault: { kind: 'respond', route: 'bulk', status: 400, body, times: 4 } },
	);
	expect(report).toContain('must not call');
	const base64 = Buffer.from(TOKEN).toString('base64');
	const secrets = [TOKEN, base64, OWN_PHONE.slice(1), AGENT.slice(1), 'Ada', sandbox.origin];
	expect(secrets.filter((secret) => report.includes(secret))).toEqual([]);
	const ids = sandbox.journal.flatMap(({ batchId, consentId }) => [batchId, `/${consentId}`]);
	expect(ids.length).toBeGreaterThan(0);
	expect(ids.filter((id) => report.includes(id))).toEqual([]);
});
