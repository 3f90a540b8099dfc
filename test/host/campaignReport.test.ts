import path from 'node:path';
import type { Page } from 'playwright-core';
import { editorBench } from './editor/editorBench';
import type { DataTable, SavedWorkflow } from './helpers/client';
import { exampleWorkflow } from './helpers/exampleWorkflow';
import { MONDAY, say, until } from './helpers/hostBench';

/** The page of campaign-report in a browser: what it counts, how it looks, and that strangers' texts stay texts. */
const bench = editorBench('report');

const SECRET = { username: 'team', password: 'look at it' };
const PATH = 'campaign-report';
let address: string;
let workflow: SavedWorkflow;
let contacts: DataTable;
let outcomes: DataTable;

type Row = Record<string, string | number | null>;
type Reached = 'yes' | 'no' | 'open' | 'unknown';

/** Contacts of one kind: how the report must count them, how many there are, what stands in their row, and their calls. */
type Kind = [state: string, count: number, status: string, reason: string, tries: Reached[]];
const no = (times: number): Reached[] => Array.from({ length: times }, () => 'no');
const invalid = (number: string) =>
	`"${number}" is not a valid UK number (+44). Check for missing or extra digits.`;
const KINDS: Kind[] = [
	...[96, 58, 31, 9, 4].map((count, n): Kind => [
		...(['reached', count, 'reached', 'Reached'] as const),
		[...no(n), 'yes'],
	]),
	['not_reached', 29, 'given_up', 'Calls per Person (5 ever) reached', no(5)],
	['unknown', 4, 'unknown', 'May have been called', ['no', 'unknown']],
	['unknown', 3, 'unknown', 'A run was stopped here', []],
	['trying', 2, 'called', 'Call started', ['open']],
	['trying', 57, 'not_reached', 'Not reached: busy', no(2)],
	['trying', 1, 'calling', 'Being called', []],
	['waiting', 60, 'outside_hours', 'From Mon 09:00 (Berlin)', []],
	['waiting', 20, 'limit_reached', 'Hours Between Calls (3) not over yet', []],
	['waiting', 12, '', '', []],
	['held', 19, 'do_not_call', 'On the Do Not Call list', []],
	['held', 5, 'duplicate', 'Same number as row 2', []],
	['held', 6, 'invalid', 'This row has no phone number.', []],
	['held', 1, 'invalid', invalid('07400 12311'), []],
	['held', 1, 'invalid', invalid('07700 90012'), []],
	['held', 3, 'not_allowed', 'Country not chosen: Germany', []],
];
const NAMES =
	'Amara Osei, Bruno Keller, Chiara Romano, Elena Petrova, Farid Haddad, Grace Kim'.split(', ');
const HOURS = '09 10 10 11 11 12 13 14 15 16 16 17 17 18 18 18 19'.split(' ');

/** What is in both tables, and how each contact must count. */
const filled = { contacts: [] as Row[], outcomes: [] as Row[], states: [] as string[] };

async function fill(kinds: Kind[]): Promise<void> {
	const { length: before } = filled.contacts;
	const { length: calls } = filled.outcomes;
	for (const [state, count, call_status, call_reason, tries] of kinds) {
		for (let n = 0; n < count; n++) {
			filled.states.push(state);
			const id = filled.states.length;
			const [, wrong = ''] = call_reason.split('"');
			const phone = call_status === 'invalid' ? wrong : `+1212555${String(id).padStart(4, '0')}`;
			const name = NAMES[(id * 5) % NAMES.length]!;
			filled.contacts.push({ name, phone, call_status, call_reason });
			tries.forEach((reached, attempt) => {
				const day = String(9 + ((id * 3) % 5) + Math.floor(attempt * 1.5)).padStart(2, '0');
				const hour = HOURS[(id * 7 + attempt * 4) % HOURS.length];
				const called_at = `2026-11-${day}T${hour}:${10 + attempt}:00-05:00`;
				const reason = reached === 'no' ? 'Not reached: busy' : 'Reached';
				filled.outcomes.push({ contact_id: id, name, phone, called_at, reached, reason });
			});
		}
	}
	await contacts.insert(filled.contacts.slice(before));
	await outcomes.insert(filled.outcomes.slice(calls));
}

beforeAll(async () => {
	const { client, filesFolder, n8n } = bench.stage;
	const { username: user, password } = SECRET;
	const type = 'httpBasicAuth';
	const saved = await client.createCredential({ name: 'Report', type, data: { user, password } });
	const definition = await exampleWorkflow(`${PATH}.workflow.json`, {
		credentials: [saved],
		filesFolder,
	});
	await bench.setClock(MONDAY, '19:30');
	const setup = await exampleWorkflow('campaign-setup.workflow.json', {
		credentials: [saved],
		filesFolder,
	});
	// The tables, and one contact.
	Object.assign(setup.nodes.find(({ name }) => name === 'Sample contacts')!.parameters, {
		jsonOutput: '{"rows": [{"phone": "+12125550100"}]}',
	});
	await client.runAndWait(await client.createWorkflow(setup), 'Use sample contacts');
	workflow = await client.createWorkflow(definition);
	await bench.publish(workflow);
	address = `${n8n.url}/webhook/${PATH}`;
	await until('the page is there', async () => (await fetch(address)).status !== 404);
});

/** What a browser complained about. */
const complaints: string[] = [];
afterEach(() => expect(complaints.splice(0)).toEqual([]));

async function opened(options: { width?: number; dark?: boolean } = {}): Promise<Page> {
	const page = await bench.visitor({
		viewport: { width: options.width ?? 1280, height: 800 },
		colorScheme: options.dark ? 'dark' : 'light',
	});
	const { username, password } = SECRET;
	const login = address.replace('//', `//${username}:${encodeURIComponent(password)}@`);
	await page.goto(login);
	page.on('console', (message) => complaints.push(message.text()));
	page.on('pageerror', ({ message }) => complaints.push(message));
	page.on('requestfailed', (request) => complaints.push(request.url()));
	// Without the password: the browser sends it again, as it does when the page reloads.
	await page.goto(address);
	return page;
}

/** The numbers in each row of a table, by the row's name. */
async function numbersIn(
	page: Page,
	rows: string,
	cells = 'td',
): Promise<Record<string, number[]>> {
	const found: Record<string, number[]> = {};
	for (const row of await page.locator(rows).all()) {
		const texts = await row.locator(cells).allTextContents();
		const numbers = texts.filter((text) => /\d/.test(text));
		const name = (await row.getAttribute('data-key')) ?? (await row.getAttribute('data-state'));
		found[name!] = numbers.map((text) => parseInt(text.replaceAll(',', '')));
	}
	return found;
}

const countOf = <T>(all: T[], is: (each: T) => boolean): number => all.filter(is).length;

/** Rows by a part of theirs, and of each part how many calls there are, reached somebody, did not, and are not known. */
const tallied = (some: Row[], partOf: (called_at: string) => string) =>
	Object.fromEntries(
		some.map(({ called_at }) => {
			const part = partOf(String(called_at));
			const same = some.filter((row) => partOf(String(row.called_at)) === part);
			const [yes, no] = ['yes', 'no'].map((how) => countOf(same, ({ reached }) => reached === how));
			return [part, [same.length, yes, no, same.length - yes! - no!]];
		}),
	);

async function expectTheTables(page: Page): Promise<void> {
	const { contacts: people, outcomes: calls, states } = filled;
	const names = ['reached', 'not_reached', 'unknown', 'trying', 'waiting', 'held'];
	expect(await numbersIn(page, '.legend li', 'b')).toEqual(
		Object.fromEntries(names.map((name) => [name, [countOf(states, (each) => each === name)]])),
	);
	const days = await numbersIn(page, '#days tbody tr');
	expect(days).toEqual(tallied(calls, (at) => at.slice(0, 10)));
	const hours = Object.entries(await numbersIn(page, '#hours tbody tr'));
	expect(Object.fromEntries(hours.filter(([, [all]]) => all))).toEqual(
		tallied(calls, (at) => `${at.slice(11, 13)}:00`),
	);
	const held = people.filter((_, n) => states[n] === 'held').map(({ call_status: why }) => why);
	expect(await numbersIn(page, 'table.bars tbody tr')).toEqual(
		Object.fromEntries(held.map((why) => [why, [countOf(held, (each) => each === why)]])),
	);
}

it('asks for the password, and opens with the right one only', async () => {
	const ask = async (login: string) =>
		await fetch(address, { headers: login ? { authorization: `Basic ${btoa(login)}` } : {} });
	for (const login of ['', 'team:wrong', 'somebody:look at it']) {
		const { status, headers } = await ask(login);
		expect([status, headers.get('www-authenticate')?.split(' ')[0]]).toEqual([401, 'Basic']);
	}
	const { status, headers } = await ask(`${SECRET.username}:${SECRET.password}`);
	const type = 'text/html; charset=utf-8';
	expect([status, headers.get('content-type')]).toEqual([200, type]);
	expect(headers.get('cache-control')).toBe('no-store');
});

it('begins without calls', async () => {
	contacts = await bench.stage.client.dataTable('outbound_calls_contacts');
	outcomes = await bench.stage.client.dataTable('outbound_calls_outcomes');
	const page = await opened();
	expect(await page.locator('h1').innerText()).toBe('0 of 1 contact reached');
	expect(await page.getByText('No calls yet').count()).toBe(4);
	filled.contacts.push({ call_status: null });
	filled.states.push('waiting');
	await expectTheTables(page);
});

it('counts each contact once, and its numbers are those of the tables', async () => {
	await fill(KINDS);
	const page = await opened();
	const reached = countOf(filled.states, (each) => each === 'reached');
	expect(await page.locator('h1').innerText()).toBe(
		`${reached} of ${filled.contacts.length} contacts reached`,
	);
	await expectTheTables(page);
});

it.each([
	['report', { width: 1280 }],
	['report-dark', { width: 1280, dark: true }],
	['report-phone', { width: 375 }],
])('documentation: %s fits its window', async (name, options) => {
	const page = await opened(options);
	const tooWide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
	expect(await page.evaluate(tooWide)).toBe(0);
	const file = path.join(bench.pictures, `documentation-${name}.png`);
	await page.screenshot({ path: file, fullPage: true });
});

it('reloads itself, without asking for the password, and stays where its reader is', async () => {
	const page = await opened({ width: 375 });
	await page.clock.install();
	await page.goto(address);
	await page.locator('#hours summary').click();
	await page.evaluate('scrollTo(0, 700)');
	const before = await page.locator('h1').innerText();
	const waiting = filled.states.indexOf('waiting');
	const called = { contact_id: waiting + 1, called_at: '2026-11-20T10:00:00-05:00' };
	await outcomes.insert([{ ...called, name: 'Zoë', reached: 'yes' }]);
	filled.outcomes.push({ ...called, reached: 'yes' });
	await contacts.update(waiting + 1, { call_status: 'reached' });
	filled.states[waiting] = 'reached';
	await page.clock.fastForward(61_000);
	await until('it has reloaded', async () => (await page.locator('h1').innerText()) !== before);
	await expectTheTables(page);
	const lately = page.locator('.lately tr');
	expect([await lately.count(), await lately.first().innerText()]).toEqual([
		50,
		expect.stringMatching(/^Nov 20, 10:00\s+Zoë\s+Reached/),
	]);
	expect(await page.locator('#hours').getAttribute('open')).not.toBeNull();
	expect(await page.evaluate('Math.round(scrollY)')).toBe(700);
});

it('shows what strangers wrote as text, and never in full length', async () => {
	const hostile = `</svg><script>document.title = 'ran'</script><i id="evil">&amp; " ' \` $& $' {{ $now }} \u202e`;
	const long = 'x'.repeat(5_000);
	const from = filled.contacts.length;
	await fill([
		['held', 1, 'invalid', hostile, []],
		['held', 1, 'refused', `${hostile} ${long}`, []],
		...Array.from({ length: 60 }, (_, n): Kind => ['held', 1, 'invalid', `${n} ${long}`, []]),
		['waiting', 1, hostile, hostile, []],
	]);
	for (let n = from; n < filled.contacts.length; n++)
		await contacts.update(n + 1, { name: `${hostile} ${long}`, phone: `${hostile}${long}` });
	await outcomes.insert([{ contact_id: 1, name: hostile, called_at: hostile, reached: hostile }]);
	const page = await opened({ width: 375 });
	expect(await page.title()).toBe('Campaign report');
	expect(await page.locator('script, #evil').count()).toBe(1);
	const text = await page.locator('.corrections').innerText();
	expect(text).toContain(hostile.replace(' \u202e', ''));
	expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(300);
	expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
	expect(await page.locator('header').innerText()).toContain('1 without a time');
	// Refused after the last call.
	expect(await page.locator('.alert').innerText()).toMatch(/^Nobody could be called in the last/);
});

it('shows 5,000 contacts', async () => {
	await fill([
		['reached', 2_000, 'reached', 'Reached', ['no', 'yes']],
		['trying', 3_000, 'not_reached', 'Not reached: busy', no(3)],
	]);
	const start = Date.now();
	const page = await opened();
	const size = (await page.content()).length;
	const rows = filled.contacts.length + filled.outcomes.length;
	say(`${rows} rows: ${(Date.now() - start) / 2} ms for a page of ${size} characters`);
	expect(size).toBeLessThan(100_000);
	const states = await numbersIn(page, '.legend li', 'b');
	const all = Object.values(states).reduce((sum, [each]) => sum + each!, 0);
	expect(all).toBe(filled.contacts.length);
	const stored = async () => await bench.stage.client.listExecutions({ workflowId: workflow.id });
	await until('n8n keeps no copy of the tables', async () => (await stored()).length === 0);
});
