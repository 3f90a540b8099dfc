import { setTimeout as sleep } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import { CALL_NODE } from './helpers/callWorkflow';
import type { DataTable, Execution, SavedCredential, SavedWorkflow } from './helpers/client';
import { jsonOf, shown, succeeded, type OutputRow } from './helpers/executions';
import { exampleWorkflow } from './helpers/exampleWorkflow';
import { hostBench, MONDAY, say, until, withFields } from './helpers/hostBench';
import { startMailServer } from './helpers/mailServer';
import { Teardown } from './helpers/teardown';
import { textTable } from './helpers/textTable';

/** The campaign kit, from an empty n8n on, beside tables with similar names. Only what is empty is filled in. */
const bench = hostBench();
const teardown = new Teardown();
let credentials: SavedCredential[];
let mailServer: Awaited<ReturnType<typeof startMailServer>>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const STRANGER = '+12125550199';
const TABLES = ['contacts', 'outcomes', 'opt_outs', 'approvals'].map(
	(name) => `outbound_calls_${name}`,
);
/** Whom campaign-setup brings as samples. */
const [NEW_YORK, LONDON, BERLIN, LOS_ANGELES] = [
	'+12125550123',
	'+442079460123',
	'+493023125042',
	'+13105550142',
] as const;
const SIGN_IN = { user: 'team', password: 'look at it' };
const BROWSER = {
	'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0',
	authorization: `Basic ${btoa(`${SIGN_IN.user}:${SIGN_IN.password}`)}`,
};

const table = async (name: string): Promise<DataTable> =>
	await bench.stage.client.dataTable(`outbound_calls_${name}`);
const rowsOf = async (name: string): Promise<OutputRow[]> => await (await table(name)).rows();
const add = async (name: string, rows: Array<Record<string, string>>) =>
	await (await table(name)).insert(rows);
/** Both tables that a campaign writes, as they are. */
const written = async () => [await rowsOf('contacts'), await rowsOf('outcomes')];
const statuses = async () => (await rowsOf('contacts')).map(({ call_status: status }) => status);

const CALL = 'Call';
const startOf = ({ nodes }: SavedWorkflow, type = 'scheduleTrigger'): string =>
	nodes.find((node) => node.type.endsWith(`.${type}`))!.name;
const filledIn = { agentNumber: '+15550002000', countries: ['DE', 'GB', 'JP', 'US'] };

async function imported(file: string): Promise<SavedWorkflow> {
	const { client, filesFolder } = bench.stage;
	const example = await exampleWorkflow(`${file}.workflow.json`, { credentials, filesFolder });
	const calls = ({ type, parameters }: INode) =>
		type === CALL_NODE && parameters.operation === 'bulkCall';
	for (const { parameters } of example.nodes.filter(calls)) Object.assign(parameters, filledIn);
	return await client.createWorkflow(example);
}

const run = async (workflow: SavedWorkflow): Promise<Execution> =>
	await bench.stage.client.runAndWait(workflow, startOf(workflow));
const ran = async (workflow: SavedWorkflow): Promise<Execution> => succeeded(await run(workflow));

/** An imported campaign that has had its dry run, Live. */
async function campaign(maxCallsPerDay = 1_000): Promise<SavedWorkflow> {
	const workflow = await imported('campaign');
	const before = await written();
	const dry = jsonOf(await ran(workflow), CALL);
	expect(dry.filter(({ status }) => status === 'dry_run')).not.toEqual([]);
	expect([bench.dialed, await written()]).toEqual([[], before]);
	const { rules } = workflow.nodes.find(({ name }) => name === CALL)!.parameters;
	const live = { mode: 'live', rules: { ...(rules as object), maxCallsPerDay } };
	return await bench.stage.client.updateWorkflow(withFields(workflow, CALL, live));
}

/** Sends a form's fields as a browser does, to the page that shows it. */
async function submit(url: string, fields: Record<string, string | Blob>): Promise<string> {
	const page = await (await fetch(url, { headers: BROWSER })).text();
	for (const field of Object.keys(fields)) expect(page.includes(`id='${field}'`)).toBe(true);
	const body = new FormData();
	for (const [name, value] of Object.entries(fields))
		if (value instanceof Blob) body.set(name, value, 'contacts.csv');
		else body.set(name, value);
	return await (await fetch(url, { method: 'POST', headers: BROWSER, body })).text();
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
	const smtp = { name: 'SMTP', type: 'smtp', data: mailServer.smtp };
	const signIn = { name: 'Sign-in', type: 'httpBasicAuth', data: SIGN_IN };
	credentials = [credential];
	for (const each of [smtp, signIn]) credentials.push(await client.createCredential(each));
	const row = { name: 'Stranger', phone: STRANGER, amount: '1', call_status: '' };
	for (const name of ['contacts', 'old_outbound_calls_contacts', 'outbound_calls_contacts_2025'])
		await client.createDataTable(name, [row]);
});
// Morning in New York, afternoon in London and Berlin, and too early in Los Angeles, in summer too.
let now: Date;
beforeEach(async () => void (now = await bench.setClock(MONDAY, '14:00')));
const later = async (hours: number) => (now = await bench.moveTo(new Date(+now + hours * HOUR)));
afterEach(() => expect(bench.dialed).not.toContain(STRANGER));
afterAll(() => teardown.run());

const latin1 = (text: string) => Buffer.from(text.replaceAll('€', '\x80'), 'latin1');
/** What is uploaded, one file after the other; what the last page says; and contacts that are there then. */
const UPLOADS: Array<[string, string | Buffer, RegExp, string[][]]> = [
	[
		'commas and quotation marks',
		'name,phone,amount,time_zone\n"Ng, ""Ann""",+81312345678,9,Asia/Tokyo\n',
		/^1 contact added, 0 updated, 0 as before\.$/,
		[['Ng, "Ann"', '+81312345678', '9', '']],
	],
	[
		'semicolons, headings in any case, and a column of its own',
		'Name;PHONE;Amount;City\r\nJo;+12125550131;1,50;Rome\r\n',
		/^1 contact added.*\nLeft out: the column city\.$/s,
		[['Jo', '+12125550131', '1,50', '']],
	],
	[
		'Windows-1252',
		latin1('name;phone;amount\nMüller;+4915123456789;€45\n'),
		/^1 contact added/,
		[['Müller', '+4915123456789', '€45', '']],
	],
	['a BOM', '\uFEFFphone,name\n+12125550132,Bo\n', /^1 contact added/, []],
	[
		'no phone number, and blank lines',
		'name,phone,amount\n\nCy,,1\n,,\nDi,+12125550133,2\nEd, ,\n',
		/^1 contact added.*\nNot added: lines 3, 6 have no phone number\.$/s,
		[['Di', '+12125550133', '2', '']],
	],
	[
		'the same number, and the same name',
		'name,phone,amount\nFlo,+1 (212) 555-0133,3\nJo,+12125550134,4\nJo,+12125550134,5\n',
		/^2 contacts added.*The same.* line 4\..*2 contacts share the number of line 2\..*Line 4: this name now has 2 numbers\.$/s,
		[['Jo', '+12125550134', '5', '']],
	],
	[
		'the same file again',
		'name,phone,amount,time_zone\n"Ng, ""Ann""",+81312345678,9,Asia/Tokyo\n',
		/^0 contacts added, 0 updated, 1 as before\.$/,
		[],
	],
	[
		'two columns only',
		'phone,name\n+81312345678,"NG, ""Ann"""\n',
		/^0 contacts added, 1 updated/,
		[['NG, "Ann"', '+81312345678', '9', '']],
	],
	[
		'opted out',
		'name,phone,opted out\nDi,+12125550133,yes\nNew,+12125550135,no\n',
		/^1 contact added, 2 updated.*An opt-out of one counts for all of them/s,
		[
			['Di', '+12125550133', '2', 'yes'],
			['Flo', '+1 (212) 555-0133', '3', 'yes'],
			['New', '+12125550135', '', 'no'],
		],
	],
	['another heading', 'Name;Telefon\nAl;+12125550136\n', /^Nothing.*It has: name, telefon\.$/, []],
];

it('campaign-setup fills in samples and files, and its last page says what became of each line', async () => {
	const { client, n8n } = bench.stage;
	const setup = await setUp();
	await bench.publish(setup);
	const form = `${n8n.url}/form/${setup.nodes.find(({ type }) => type.endsWith('.formTrigger'))!.webhookId}`;
	for (const sent of [{}, { method: 'POST', body: new FormData() }])
		expect((await fetch(form, sent)).status).toBe(401);
	const upload = async (file: string | Buffer): Promise<string> => {
		const answer = await submit(form, { 'field-0': new Blob([new Uint8Array(Buffer.from(file))]) });
		const { formWaitingUrl } = JSON.parse(answer) as { formWaitingUrl: string };
		const status = new URL(formWaitingUrl);
		status.pathname += '/n8n-execution-status';
		const isWaiting = async () =>
			(await (await fetch(status, { headers: BROWSER })).text()) === 'form-waiting';
		await until('the last page is there', isWaiting);
		const page = await (await fetch(formWaitingUrl, { headers: BROWSER })).text();
		return /<p[^>]*>([^<]*)<\/p>/.exec(page)![1]!.trim();
	};
	const phones = async () => (await rowsOf('contacts')).map(({ phone }) => phone);
	expect(await phones()).toEqual([NEW_YORK, LONDON, BERLIN, LOS_ANGELES]);
	for (const [what, file, says, rows] of UPLOADS) {
		expect([what, await upload(file)]).toEqual([what, expect.stringMatching(says)]);
		const contacts = (await rowsOf('contacts')).map((row) =>
			['name', 'phone', 'amount', 'opted_out'].map((column) => row[column]),
		);
		expect(contacts).toEqual(expect.arrayContaining(rows));
	}
	expect(await phones()).toHaveLength(4 + 8);

	// As an older kit made it.
	await (await table('contacts')).drop();
	await client.createDataTable('outbound_calls_contacts', [{ name: 'Ada', phone: NEW_YORK }]);
	expect(await upload('phone\n+12125550124\n')).toMatch(/^Nothing.*no column amount, .*opted_out/s);
});

describe('campaign', () => {
	it('calls each person once in a run, keeps those who opt out, and writes down each call', async () => {
		await setUp();
		await add('contacts', [{ name: 'Same', phone: '+1 (212) 555-0123', amount: '1' }]);
		bench.sandbox.callErrors.set(LONDON, 'busy');
		const workflow = await campaign(2);
		await ran(workflow);
		expect([...bench.dialed].sort()).toEqual([NEW_YORK, LONDON].sort());
		const started = ['called', 'called', null, 'outside_hours', 'duplicate'];
		expect(await statuses()).toEqual(started);
		const [first] = await rowsOf('outcomes');
		const call = { contact_id: 1, name: 'Amara', phone: NEW_YORK, workflow: 'Campaign' };
		expect(first).toMatchObject({ ...call, reached: 'open' });
		await later(0.25);
		await ran(workflow);
		expect((await rowsOf('outcomes')).map(({ reached }) => reached)).toEqual(['yes', 'no']);
		expect(await statuses()).toEqual([
			'reached',
			'not_reached',
			null,
			'outside_hours',
			'duplicate',
		]);
		await add('opt_outs', [{ phone: '0049 30 23125042' }]);
		await add('contacts', [{ name: 'New', phone: NEW_YORK, amount: '1' }]);
		await later(24);
		await ran(workflow);
		expect(bench.dialed.slice(2)).toEqual([LONDON]);
		expect((await statuses())[2]).toBe('do_not_call');
		expect((await statuses())[5]).toBe('do_not_call');
	});

	it('fails and says why if nobody can be called, takes the marks back, and goes on when it is corrected', async () => {
		await setUp();
		const workflow = await campaign();
		await add('opt_outs', [{ phone: STRANGER }, { phone: 'Mrs. Osei' }]);
		expect(shown(await run(workflow)).message).toMatch(
			/^Nobody could be called\. Entry 2 .*Mrs\. Osei.*outbound_calls_opt_outs, oldest first/,
		);
		expect(await statuses()).toEqual(Array(4).fill('refused'));
		await (await table('opt_outs')).update(2, { phone: '' });
		bench.sandbox.settings.token = 'another';
		expect(shown(await run(workflow)).message).toMatch(/^Nobody could be called\. .*token/);
		expect(bench.dialed).toEqual([]);
		bench.reset();
		await ran(workflow);
		expect(bench.dialed).toHaveLength(3);
	});

	interface Counted {
		calling: number;
		called: number;
		outcomes: number;
		dialed: number;
	}
	/** A moment of a run over 25 contacts: what is slow, how to know that it has come, and how the run ends there. */
	interface Moment {
		name: string;
		fault?: Parameters<typeof bench.sandbox.fault>[0];
		is: (seen: Counted) => boolean;
		ends: 'stop' | 'kill';
		/** On the clock of New York. */
		at?: number;
	}
	const some = (count: number) => count > 0 && count < 20;
	const slow = { kind: 'latency', route: 'bulk', ms: 3_000 } as const;
	const silent = { kind: 'hangAfter', route: 'bulk', after: 1 } as const;
	const inSecond = ({ dialed }: Counted) => dialed > 10;
	const MOMENTS: Moment[] = [
		{ name: 'before it marks', is: () => true, ends: 'stop' },
		{ name: 'while it marks', is: ({ calling }) => some(calling), ends: 'kill' },
		{ name: 'first answer', fault: slow, is: ({ dialed }) => dialed > 0, ends: 'stop' },
		{ name: 'second request', fault: silent, is: inSecond, ends: 'stop' },
		{ name: 'while it writes outcomes', is: ({ outcomes }) => some(outcomes), ends: 'kill' },
		{ name: 'after the outcomes', is: ({ outcomes }) => outcomes > 0, ends: 'stop' },
		{ name: 'after the contacts', is: ({ called }) => called > 0, ends: 'stop' },
		{ name: 'at 19:50', fault: silent, is: inSecond, ends: 'stop', at: 19.84 },
		{ name: 'in two runs at once', fault: slow, is: ({ dialed }) => dialed > 0, ends: 'kill' },
		{ name: 'third call of a day', fault: silent, is: inSecond, ends: 'stop' },
	];

	it.each(MOMENTS.map((moment, n) => ({ n, ...moment })))(
		'$ends, $name: then each call is in the table or its contact is unknown, and nobody is called twice',
		async ({ n, fault, is, ends, at = 10 }) => {
			const { client } = bench.stage;
			const [isThird, isTwice] = [n === 9, n === 8];
			await setUp();
			const contacts = await table('contacts');
			for (const id of [1, 2, 3, 4]) await contacts.update(id, { call_status: 'duplicate' });
			now = await bench.setClock(MONDAY, '12:00', n);
			const hourIn = { timeZone: 'America/New_York', hour: 'numeric', hour12: false } as const;
			await later(at - Number(now.toLocaleString('en-US', hourIn)));
			const phones = Array.from({ length: 25 }, (_, i) => `+1212555${2_000 + 30 * n + i}`);
			await contacts.insert(phones.map((phone) => ({ name: 'Ada', phone, amount: '1' })));
			const workflow = (interrupted ??= await campaign());

			const count = (list: unknown[], one: unknown) => list.filter((each) => each === one).length;
			let before = 0;
			const counted = async (): Promise<Counted> => {
				const of = await statuses();
				const calls = { outcomes: (await rowsOf('outcomes')).length, dialed: bench.dialed.length };
				return {
					calling: count(of, 'calling'),
					called: count(of, 'called'),
					outcomes: calls.outcomes - before,
					dialed: calls.dialed - before,
				};
			};
			if (isThird) {
				for (const phone of phones) bench.sandbox.callErrors.set(phone, 'busy');
				for (const _ of [1, 2]) {
					await ran(workflow);
					await later(3.8);
				}
				before = 50;
			}
			if (fault) bench.sandbox.fault(fault);
			const id = await client.run(workflow, startOf(workflow));
			await until('the moment has come', async () => is(await counted()));
			if (isTwice) {
				await client.run(workflow, startOf(workflow));
				await until('both call', async () => (await counted()).calling > 20);
			}
			if (ends === 'kill') await bench.crash();
			else await client.stopExecution(id);
			bench.sandbox.clearFaults();
			await until('the requests are over', () => bench.sandbox.inFlight === 0);
			let tables: unknown;
			await until('nothing is written any more', async () => {
				const before = JSON.stringify(tables);
				await sleep(300);
				return JSON.stringify((tables = await written())) === before;
			});
			const seen = JSON.stringify(await counted());
			for (const hours of [1.25, 0.25]) {
				await later(hours);
				await ran(workflow);
			}
			const calls = (await rowsOf('outcomes')).map(({ phone }) => phone);
			const people = (await contacts.rows()).slice(4);
			for (const { phone, call_status: status } of people) {
				const [made, stored] = [count(bench.dialed, phone), count(calls, phone)];
				expect([phone, status === 'unknown' || made === stored]).toEqual([phone, true]);
				expect(made).toBeLessThanOrEqual(isThird ? 3 : 1);
				expect(['calling', 'called'].includes(String(status)) && made === 0).toBe(false);
			}
			const unknown = count(
				people.map(({ call_status: status }) => status),
				'unknown',
			);
			say(`${seen}; two runs later ${unknown} are unknown, and ${calls.length} calls are known`);
		},
	);
	let interrupted: SavedWorkflow | undefined;

	const TOKYO = '+81312345678';
	const ALSO_LONDON = '+44 20 7946 0123';
	/** What comes of the calls to a number, one after the other; the last one again and again. */
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

	it('over three days: up to three calls a day and five in all, in daytime, until reached; and once more for who asks; the report says so', async () => {
		await setUp();
		await add('contacts', [
			{ name: 'Emi', phone: TOKYO, amount: '¥900' },
			{ name: 'Amara’s brother', phone: '001 212 555 0123', amount: '$1' },
		]);
		const workflow = await campaign();
		const start = +(await later(-14));
		const calls: Array<{ phone: string; at: number; answer: string }> = [];
		const of = (phone: string) => calls.filter((call) => call.phone === phone);
		const next = (phone: string): string =>
			answers[phone]![Math.min(of(phone).length, answers[phone]!.length - 1)]!;
		for (let hour = 0; hour < 73; hour++) {
			for (const phone of Object.keys(answers))
				if (next(phone) === 'reached') bench.sandbox.callErrors.delete(phone);
				else bench.sandbox.callErrors.set(phone, next(phone));
			now = await bench.moveTo(new Date(start + hour * HOUR));
			if (hour === 24) await add('opt_outs', [{ phone: TOKYO }]);
			if (hour === 34) {
				await add('contacts', [{ name: 'Ben’s sister', phone: ALSO_LONDON, amount: '£1' }]);
				const callAt = new Date(+now + HOUR).toISOString();
				await (await table('contacts')).update(2, { call_at: callAt });
			}
			await ran(workflow);
			for (const phone of bench.dialed.slice(calls.length))
				calls.push({ phone, at: +now, answer: next(phone) });
		}
		const [contacts, outcomes] = [await rowsOf('contacts'), await rowsOf('outcomes')];
		const heads = ['Name', 'Status', 'Reason', 'Calls'];
		const told = contacts.map(({ name, phone, call_status: status, call_reason: reason }) => {
			const mine = of(String(phone)).map(
				({ at, answer }) => `${on(zones[String(phone)]!, at)} ${answer}`,
			);
			return [String(name), String(status), String(reason), mine.join(', ')];
		});
		say(`\n${textTable(heads, told)}`);

		expect(outcomes.map(({ phone }) => phone)).toEqual(calls.map(({ phone }) => phone));
		outcomes.forEach(({ called_at: at, reached }, n) => {
			expect(Date.parse(String(at)) - calls[n]!.at).toBeLessThan(5 * MINUTE);
			expect(reached).toBe(calls[n]!.answer === 'reached' ? 'yes' : 'no');
		});
		for (const [phone, zone] of Object.entries(zones)) {
			const mine = of(phone);
			expect(mine.length).toBeLessThanOrEqual(5);
			mine.forEach(({ at }, n) => {
				expect(on(zone, at)).toMatch(/^(Mon|Tue|Wed|Thu|Fri),? (09|1\d):/);
				if (n > 0) expect(at - mine[n - 1]!.at).toBeGreaterThanOrEqual(3 * HOUR);
				// Days are the workflow's, on the clock of a fresh n8n.
				const day = on('America/New_York', at).slice(0, 3);
				const sameDay = mine.filter((call) => on('America/New_York', call.at).startsWith(day));
				expect(sameDay.length).toBeLessThanOrEqual(3);
			});
		}
		// London is called once more, an hour after it asked.
		expect([NEW_YORK, LONDON, BERLIN, LOS_ANGELES].map((phone) => of(phone).length)).toEqual([
			3, 2, 5, 5,
		]);
		expect(of(LONDON)[1]!.at).toBe(start + 35 * HOUR);
		expect(of(TOKYO).every(({ at }) => at < start + 24 * HOUR)).toBe(true);
		expect(contacts.map(({ call_status: status }) => status)).toEqual([
			...['reached', 'reached', 'given_up', 'reached'],
			...['do_not_call', 'duplicate', 'duplicate'],
		]);

		await bench.publish(await imported('campaign-report'));
		let page = '';
		await until('the report is there', async () => {
			const answer = await fetch(`${bench.stage.n8n.url}/webhook/campaign-report`, {
				headers: BROWSER,
			});
			page = await answer.text();
			return answer.status === 200;
		});
		const counts = [...page.matchAll(/data-state="(\w+)".*?<b>(\d+)/g)].map(([, ...pair]) => pair);
		expect(Object.fromEntries(counts)).toEqual({
			...{ reached: '3', not_reached: '1', unknown: '0', trying: '0', waiting: '0', held: '3' },
		});
		expect(page).toContain(`${calls.length} calls`);
	});
});

it('campaign-approval: campaign calls whom somebody has approved by noon, and nobody after a no, without an answer, or by the opening of the link', async () => {
	await setUp();
	await add('opt_outs', [{ phone: BERLIN }]);
	const { client } = bench.stage;
	const { mails } = mailServer;
	const workflow = await campaign();
	const approval = await imported('campaign-approval');
	const asked = async () => {
		const id = await client.run(approval, startOf(approval));
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

	// Los Angeles can be called later today.
	const [unanswered, declined, approved] = [await asked(), await asked(), await asked()];
	expect(approved.subject).toBe('Calls today: 3 would be called, 1 opted out or reached');
	await fetch(unanswered.link, { headers: BROWSER });
	await declined.answer('No');
	await ran(workflow);
	expect(bench.dialed).toEqual([]);

	await approved.answer('Yes');
	await add('opt_outs', [{ phone: LONDON }]);
	await add('contacts', [{ name: 'Fay', phone: '+12125550124', amount: '1' }]);
	await ran(workflow);
	expect(bench.dialed).toEqual([NEW_YORK]);
	expect(await rowsOf('outcomes')).toMatchObject([{ phone: NEW_YORK, approved_by: 'Grace' }]);
	await later(4);
	await ran(workflow);
	expect(bench.dialed).toEqual([NEW_YORK, LOS_ANGELES]);
	// n8n looks for executions whose time is over when it starts, and then every minute.
	await bench.crash();
	succeeded(await client.waitForExecution(unanswered.id));
	await later(20);
	await ran(workflow);
	expect(bench.dialed).toEqual([NEW_YORK, LOS_ANGELES]);
	expect((await asked()).subject).toMatch(
		/^Calls today: 1 would be called, 2 opted out or reached/,
	);
});
