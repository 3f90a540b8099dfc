import type { INode } from 'n8n-workflow';
import { CALL_NODE } from './helpers/callWorkflow';
import type { DataTable, Execution, SavedCredential, SavedWorkflow } from './helpers/client';
import { jsonOf, shown, succeeded, type OutputRow } from './helpers/executions';
import { exampleWorkflow } from './helpers/exampleWorkflow';
import { hostBench, MONDAY, say, until, withFields } from './helpers/hostBench';
import { startMailServer } from './helpers/mailServer';
import { Teardown } from './helpers/teardown';
import { textTable } from './helpers/textTable';

/** The campaign kit, from an empty n8n on. Only credentials and countries are filled in. */
const bench = hostBench();
const teardown = new Teardown();
let credentials: SavedCredential[];
let mailServer: Awaited<ReturnType<typeof startMailServer>>;

const HOUR = 3_600_000;
const STRANGER = '+12125550199';
const TABLES = ['contacts', 'outcomes', 'opt_outs'].map((name) => `outbound_calls_${name}`);
/** Whom campaign-setup brings as samples. */
const [NEW_YORK, LONDON, BERLIN, LOS_ANGELES] = [
	'+12125550123',
	'+442079460123',
	'+493023125042',
	'+13105550142',
] as const;
const EVERYBODY = [NEW_YORK, LOS_ANGELES, LONDON, BERLIN];

const table = async (name: string): Promise<DataTable> =>
	await bench.stage.client.dataTable(`outbound_calls_${name}`);
const rowsOf = async (name: string): Promise<OutputRow[]> => await (await table(name)).rows();
const optOut = async (phone: string) => await (await table('opt_outs')).insert([{ phone }]);

const isCalling = ({ type }: INode): boolean => type === CALL_NODE;
const startOf = ({ nodes }: SavedWorkflow, type = 'scheduleTrigger'): string =>
	nodes.find((node) => node.type.endsWith(`.${type}`))!.name;
/** The node that dials. */
const dialing = ({ nodes }: SavedWorkflow): string => nodes.filter(isCalling).at(-1)!.name;

async function imported(file: string): Promise<SavedWorkflow> {
	const { client, filesFolder } = bench.stage;
	const example = await exampleWorkflow(`${file}.workflow.json`, { credentials, filesFolder });
	for (const { parameters } of example.nodes.filter(isCalling))
		Object.assign(parameters, {
			countries: ['DE', 'GB', 'JP', 'US'],
			options: { pollInterval: 1 },
		});
	return await client.createWorkflow(example);
}

/** What the node that dials put out. */
const run = async (workflow: SavedWorkflow): Promise<OutputRow[]> =>
	jsonOf(
		succeeded(await bench.stage.client.runAndWait(workflow, startOf(workflow))),
		dialing(workflow),
	);
const setLive = async (workflow: SavedWorkflow): Promise<SavedWorkflow> =>
	await bench.stage.client.updateWorkflow(
		withFields(workflow, dialing(workflow), { mode: 'live' }),
	);
/** An imported campaign that has had its dry run, Live. */
async function campaign(file = 'campaign'): Promise<SavedWorkflow> {
	const workflow = await imported(file);
	expect((await run(workflow)).filter(({ status }) => status === 'dry_run')).not.toEqual([]);
	expect(bench.dialed).toEqual([]);
	return await setLive(workflow);
}

/** Sends a form's fields as a browser does, to the page that shows it. */
async function submit(url: string, fields: Record<string, string | Blob>): Promise<string> {
	const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0' };
	const page = await (await fetch(url, { headers })).text();
	for (const field of Object.keys(fields)) expect(page.includes(`id='${field}'`)).toBe(true);
	const body = new FormData();
	for (const [name, value] of Object.entries(fields))
		if (value instanceof Blob) body.set(name, value, 'contacts.csv');
		else body.set(name, value);
	return await (await fetch(url, { method: 'POST', headers, body })).text();
}

/** Deletes the kit's tables, and lets campaign-setup make them anew. */
async function setUp(): Promise<SavedWorkflow> {
	const { client } = bench.stage;
	for (const name of TABLES)
		await client.dataTable(name).then(
			async (found) => await found.drop(),
			() => undefined,
		);
	const setup = await imported('campaign-setup');
	succeeded(await client.runAndWait(setup, startOf(setup, 'manualTrigger')));
	return setup;
}

beforeAll(async () => {
	const { client, credential } = bench.stage;
	mailServer = await startMailServer();
	teardown.add(mailServer.close);
	const smtp = await client.createCredential({ name: 'SMTP', type: 'smtp', data: mailServer.smtp });
	credentials = [credential, smtp];
	for (const name of ['contacts', 'old_contacts', 'outbound_calls'])
		await client.createDataTable(name, [{ name: 'Stranger', phone: STRANGER, amount: '1' }]);
});
// Morning in New York, afternoon in London and Berlin, and too early in Los Angeles, in summer too.
let now: Date;
beforeEach(async () => void (now = await bench.setClock(MONDAY, '14:00')));
const later = async (hours: number) => (now = await bench.moveTo(new Date(+now + hours * HOUR)));
afterAll(() => teardown.run());

it('campaign-setup fills in samples, or a CSV file once, and adds nothing if a row has no phone number', async () => {
	const setup = await setUp();
	expect((await rowsOf('contacts')).map(({ phone }) => phone)).toEqual([
		NEW_YORK,
		LONDON,
		BERLIN,
		LOS_ANGELES,
	]);
	await bench.publish(setup);
	const form = `${bench.stage.n8n.url}/form/${setup.nodes.find(({ webhookId }) => webhookId)!.webhookId}`;
	let uploads = 0;
	const upload = async (lines: string): Promise<Execution> => {
		const csv = `\uFEFFname,phone,amount,time_zone\n${lines}\n`;
		await submit(form, { 'field-0': new Blob([csv], { type: 'text/csv' }) });
		return (await bench.ended(setup, ++uploads + 1)).at(-1)!;
	};
	const line = `"Ng, Ann",+81312345678,9,Asia/Tokyo\nAda,${NEW_YORK},99,`;
	const contacts = async () =>
		(await rowsOf('contacts')).map(({ createdAt: _, updatedAt: __, ...row }) => row);
	succeeded(await upload(line));
	const once = await contacts();
	expect(once).toHaveLength(5);
	expect(once[0]).toMatchObject({ name: 'Ada', amount: '99', time_zone: '', call_at: null });
	expect(once[4]).toMatchObject({ name: 'Ng, Ann', phone: '+81312345678' });
	succeeded(await upload(line));
	expect(await contacts()).toEqual(once);
	expect(shown(await upload('Bo,+12125550124,1,\nCy,,1,')).message).toMatch(/line 3\b/);
	expect(await contacts()).toEqual(once);
});

describe('campaign', () => {
	it('calls each person once in a run, keeps those who opt out, writes an outcome for each call, and never reads another table', async () => {
		await setUp();
		bench.sandbox.callErrors.set(LONDON, 'busy').set(BERLIN, 'no answer');
		const workflow = await campaign();
		await run(workflow);
		expect([...bench.dialed].sort()).toEqual(EVERYBODY.filter((each) => each !== LOS_ANGELES));
		await run(workflow);
		expect(bench.dialed).toHaveLength(3);
		await optOut('0049 30 23125042');
		await later(4);
		await run(workflow);
		expect([...bench.dialed.slice(3)].sort()).toEqual([LOS_ANGELES, LONDON]);
		const outcomes = await rowsOf('outcomes');
		expect(outcomes.map(({ phone }) => phone).sort()).toEqual([...bench.dialed].sort());
		expect(outcomes.find(({ phone }) => phone === NEW_YORK)).toMatchObject({
			contact_id: 1,
			called: 'yes',
			reached: 'yes',
			status: 'initiated',
			workflow: 'Campaign',
		});
		const contacts = await rowsOf('contacts');
		expect(contacts.map(({ call_status: status }) => status)).toEqual([
			'limit_reached',
			'initiated',
			'do_not_call',
			'initiated',
		]);

		// Changed later than the kit's, so n8n finds this one first when it is asked for the kit's.
		const stranger = { name: 'Stranger', phone: STRANGER, amount: '1' };
		const decoy = await bench.stage.client.createDataTable(`old_${TABLES[0]}`, [stranger]);
		await later(3.5);
		const refused = await bench.stage.client.runAndWait(workflow, startOf(workflow));
		expect([refused.status, bench.dialed.length]).toEqual(['error', 5]);
		await decoy.drop();
		expect(bench.dialed).not.toContain(STRANGER);
	});

	it('after n8n was killed between calls and their outcomes, nobody is called again', async () => {
		await setUp();
		const workflow = await campaign();
		bench.sandbox.settings.finishAfterMs = 60_000;
		await bench.stage.client.run(workflow, startOf(workflow));
		await until('three people are called', () => bench.dialed.length === 3);
		await bench.crash();
		expect(await rowsOf('outcomes')).toEqual([]);
		bench.sandbox.settings.finishAfterMs = 0;
		const rows = await run(workflow);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		// Nobody knows what came of these calls, and when they may be tried again.
		const unknown = (await rowsOf('contacts')).filter(({ callable_at: at }) => at === '');
		expect(unknown.map(({ call_status: status }) => status)).toEqual(
			Array(3).fill('limit_reached'),
		);
		expect(rows).toHaveLength(4);
	});

	const TOKYO = '+81312345678';
	/** What comes of the calls to a person, one after the other; the last one again and again. */
	const answers: Record<string, string[]> = {
		[NEW_YORK]: ['busy', 'no answer', 'reached'],
		[LONDON]: ['reached'],
		[BERLIN]: ['no answer'],
		[LOS_ANGELES]: ['busy', 'busy', 'voicemail', 'busy', 'reached'],
		[TOKYO]: ['busy'],
	};
	const zones: Record<string, string> = {
		[NEW_YORK]: 'America/New_York',
		[LONDON]: 'Europe/London',
		[BERLIN]: 'Europe/Berlin',
		[LOS_ANGELES]: 'America/Los_Angeles',
		[TOKYO]: 'Asia/Tokyo',
	};
	const on = (timeZone: string, at: number): string =>
		new Date(at).toLocaleString('en-GB', {
			timeZone,
			weekday: 'short',
			hour: '2-digit',
			minute: '2-digit',
		});

	it('over three days: up to three calls a day and five in all, three hours apart, in daytime, until somebody is reached', async () => {
		await setUp();
		await (await table('contacts')).insert([{ name: 'Emi', phone: TOKYO, amount: '¥900' }]);
		await later(-4);
		const workflow = await campaign();
		const start = +(await later(-10));
		const calls: Array<{ phone: string; at: number; answer: string; reason: unknown }> = [];
		const of = (phone: string) => calls.filter((call) => call.phone === phone);
		const next = (phone: string): string =>
			answers[phone]![Math.min(of(phone).length, answers[phone]!.length - 1)]!;
		const whyNot: Record<string, Record<string, number>> = {};
		for (let step = 0; step < 144; step++) {
			for (const phone of Object.keys(answers))
				if (next(phone) === 'reached') bench.sandbox.callErrors.delete(phone);
				else bench.sandbox.callErrors.set(phone, next(phone));
			if (step === 48) await optOut(TOKYO);
			now = await bench.moveTo(new Date(start + (step * HOUR) / 2));
			const rows = await run(workflow);
			expect(rows).toHaveLength(5);
			for (const { phone, called, status, reason } of rows) {
				if (called !== 'no') continue;
				const counts = (whyNot[String(phone)] ??= {});
				const why = status === 'outside_hours' ? 'Outside hours' : String(reason);
				counts[why] = (counts[why] ?? 0) + 1;
			}
			for (const phone of bench.dialed.slice(calls.length)) {
				const { called_at: at, reason } = rows.find((row) => row.phone === phone)!;
				expect(Date.parse(String(at)) - +now).toBeLessThan(60_000);
				calls.push({ phone, at: Date.parse(String(at)), answer: next(phone), reason });
			}
		}
		const [outcomes, contacts] = [await rowsOf('outcomes'), await rowsOf('contacts')];
		const report = contacts.map(({ name, phone, call_reason: reason }) => {
			const mine = of(String(phone)).map(
				({ at, answer }) => `${on(zones[String(phone)]!, at)} ${answer}`,
			);
			const counts = Object.entries(whyNot[String(phone)]!).map((part) =>
				part.reverse().join(' × '),
			);
			const five = [0, 1, 2, 3, 4].map((n) => mine[n] ?? '');
			return [String(name), ...five, String(reason), counts.join(', ')];
		});
		const heads = ['Name', '1', '2', '3', '4', '5', 'In the end', 'Not called in a run, because'];
		say(`\n${textTable(heads, report)}`);

		expect(outcomes.map(({ phone, called_at: at }) => [phone, Date.parse(String(at))])).toEqual(
			calls.map(({ phone, at }) => [phone, at]),
		);
		for (const [phone, zone] of Object.entries(zones)) {
			const mine = of(phone);
			const others = Object.values(whyNot[phone]!).reduce((sum, count) => sum + count);
			expect(mine.length + others).toBe(144);
			expect(mine.length).toBeLessThanOrEqual(5);
			expect(mine.slice(0, -1).filter(({ answer }) => answer === 'reached')).toEqual([]);
			mine.forEach(({ at }, n) => {
				expect(on(zone, at)).toMatch(/^(Mon|Tue|Wed|Thu|Fri),? (09|1\d):/);
				if (n > 0) expect(at - mine[n - 1]!.at).toBeGreaterThanOrEqual(3 * HOUR);
				// Days are the workflow's, on the clock of a fresh n8n.
				const day = on('America/New_York', at).slice(0, 3);
				const sameDay = mine.filter((call) => on('America/New_York', call.at).startsWith(day));
				expect(sameDay.length).toBeLessThanOrEqual(3);
			});
		}
		expect([NEW_YORK, LONDON, BERLIN, LOS_ANGELES].map((phone) => of(phone).length)).toEqual([
			3, 1, 5, 5,
		]);
		expect(of(TOKYO).every(({ at }) => at < start + 24 * HOUR)).toBe(true);
	});
});

it('campaign-callbacks calls people once when their time has come, and campaign leaves them alone', async () => {
	await setUp();
	const contacts = await table('contacts');
	const [newYork, london, berlin] = [1, 2, 3];
	const callAt = async (id: number, hours: number) =>
		await contacts.update(id, { call_at: new Date(+now + hours * HOUR).toISOString() });
	await callAt(newYork, -0.2);
	await callAt(london, 1);
	await callAt(berlin, -25);
	const callbacks = await campaign('campaign-callbacks');
	for (const _ of [1, 2]) await run(callbacks);
	expect(bench.dialed).toEqual([NEW_YORK]);
	expect((await contacts.rows())[0]).toMatchObject({ call_reason: 'Reached' });
	await later(1.1);
	await run(callbacks);
	await callAt(newYork, 0);
	await later(0.1);
	await run(callbacks);
	expect(bench.dialed).toEqual([NEW_YORK, LONDON, NEW_YORK]);
	expect((await run(await imported('campaign'))).map(({ phone }) => phone)).toEqual([LOS_ANGELES]);
	expect((await rowsOf('outcomes')).map(({ phone }) => phone)).toEqual(bench.dialed);
});

it('campaign-approval calls those whom somebody has approved by noon, and nobody after a no, without an answer, or by the opening of the link', async () => {
	await setUp();
	await optOut(BERLIN);
	const { client } = bench.stage;
	const { mails } = mailServer;
	let workflow = await imported('campaign-approval');
	const asked = async () => {
		const id = await client.run(workflow, startOf(workflow));
		const before = mails.length;
		await until('the e-mail is there', () => mails.length > before);
		await until('n8n waits', async () => (await client.getExecution(id)).status === 'waiting');
		const { subject, text, links } = mails.at(-1)!;
		expect(text).toMatch(/ by\s12:00\./);
		const answer = async (yesOrNo: string) => {
			await submit(links[0]!, { 'field-0': yesOrNo, 'field-1': 'Grace' });
			return succeeded(await client.waitForExecution(id));
		};
		return { id, subject, link: links[0]!, answer };
	};
	const statuses = (execution: Execution) =>
		jsonOf(execution, dialing(workflow)).map(({ phone, status }) => [phone, status]);

	const first = await asked();
	expect(first.subject).toBe(
		'Calls today: 2 would be called, 2 held back (1 opted out, 1 outside calling hours)',
	);
	expect(statuses(await first.answer('Yes'))).toEqual([
		[NEW_YORK, 'dry_run'],
		[LONDON, 'dry_run'],
	]);

	// The report shows whom to correct, before anybody is called.
	expect((await rowsOf('contacts')).map(({ call_status: status }) => status)).toEqual([
		'dry_run',
		'dry_run',
		'do_not_call',
		'outside_hours',
	]);

	workflow = await setLive(workflow);
	const [unanswered, declined, approved] = [await asked(), await asked(), await asked()];
	await fetch(unanswered.link, { headers: { 'user-agent': 'Mozilla/5.0' } });
	await declined.answer('No');
	expect(bench.dialed).toEqual([]);
	await optOut(LONDON);
	await (await table('contacts')).insert([{ name: 'Fay', phone: '+12125550124', amount: '1' }]);
	expect(statuses(await approved.answer('Yes'))).toEqual([
		[NEW_YORK, 'initiated'],
		[LONDON, 'do_not_call'],
	]);
	expect(await rowsOf('outcomes')).toMatchObject([{ phone: NEW_YORK, approved_by: 'Grace' }]);
	expect((await client.getExecution(unanswered.id)).status).toBe('waiting');
	await later(3.5);
	// n8n looks for executions whose time is over when it starts, and then every minute.
	await bench.crash();
	succeeded(await client.waitForExecution(unanswered.id));
	expect(bench.dialed).toEqual([NEW_YORK]);

	await later(20.5);
	const { subject, answer } = await asked();
	expect(subject).toMatch(/^Calls today: 1 would be called, 4 held back \(1 called before, 2 /);
	await answer('No');
	await optOut('+12125550124');
	const nobody = await asked();
	expect(nobody.subject).toMatch(
		/^Calls today: 0 would be called, 5 held back \(1 called before, 3 /,
	);
	await nobody.answer('Yes');
	expect(bench.dialed).toEqual([NEW_YORK]);
});
