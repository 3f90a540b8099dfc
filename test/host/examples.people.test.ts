import { setTimeout as sleep } from 'node:timers/promises';
import { AGENT_WITH_PROMPT } from '../engine/helpers/workflows';
import { startToolModel } from './helpers/aiToolModel';
import type { DataTable, Execution, SavedWorkflow } from './helpers/client';
import {
	chosen,
	hostBenchWithClock,
	importExample,
	jsonOf,
	MONDAY,
	postJson,
	rehearsed,
	succeeded,
	webhookListens,
	webhookUrl,
} from './helpers/exampleBench';
import { fillIn } from './helpers/exampleWorkflow';
import { failForTwoSeconds } from './helpers/failingDatabase';
import { say, until } from './helpers/hostBench';

/** Examples that are about the same people again and again. */
const { bench, setClock, resetClock } = hostBenchWithClock();
afterEach(resetClock);

const everyDay = {
	window: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }],
};

describe('until-reached.workflow.json', () => {
	const empty = { outcome: '', called_at: '', note: '', consent_id: '', batch_id: '' };

	async function imported(name: string, people: string[], mode: 'live' | 'dryRun') {
		const { client } = bench.stage;
		const rows = people.map((person, n) => ({
			name: person,
			phone: `+1415555017${n}`,
			amount: '1',
			...empty,
		}));
		const table = await client.createDataTable(name, rows);
		const choice = chosen(table);
		const workflow = await importExample(bench, 'until-reached.workflow.json', {
			changes: {
				...Object.fromEntries(
					['Open calls', 'Write what became of them', 'People', 'Write call', 'Write why not'].map(
						(node) => [node, choice],
					),
				),
				'Call contacts': { pollInterval: 1, waitTimeout: 0.05 },
			},
		});
		Object.assign(
			workflow.nodes.find(({ name: node }) => node === 'Call contacts')!.parameters
				.options as object,
			{ callingHours: everyDay },
		);
		const example = await client.updateWorkflow(workflow);
		const saved =
			mode === 'live'
				? await rehearsed(bench, example, 'Call contacts', 'Every half hour')
				: example;
		const phoneOf = Object.fromEntries(rows.map((row) => [row.name, row.phone]));
		return {
			table,
			phoneOf,
			times: (person: string) => bench.dialed.filter((phone) => phone === phoneOf[person]).length,
			run: async () => succeeded(await client.runAndWait(saved, 'Every half hour')),
			outcomes: async () =>
				Object.fromEntries(
					(await table.rows()).map(({ name: person, outcome }) => [person, outcome]),
				),
		};
	}

	/** Somebody empties the columns, or the step that writes them was never reached. */
	const forget = async (table: DataTable) => {
		for (const { id } of await table.rows()) await table.update({ id: id! }, empty);
	};

	it('executed over and over, calls nobody twice on a day, nor a fourth time, nor after they were reached, whatever the table has forgotten', async () => {
		const { run, table, outcomes, times, phoneOf } = await imported(
			'until reached',
			['Ada', 'Bob'],
			'live',
		);
		bench.sandbox.callErrors.set(phoneOf.Ada!, 'Nobody answered');
		const calls: number[][] = [];
		for (const day of [0, 1, 2, 3]) {
			await setClock(MONDAY, '15:00:00', day);
			await run();
			await run();
			if (day === 0) expect(await outcomes()).toEqual({ Ada: 'not_reached', Bob: 'reached' });
			await forget(table);
			await table.insert([{ name: 'Ada', phone: '+1 (415) 555-0170', amount: '1', ...empty }]);
			await run();
			calls.push([times('Ada'), times('Bob')]);
		}
		expect(calls).toEqual([
			[1, 1],
			[2, 1],
			[3, 1],
			[3, 1],
		]);
		const notes = (await table.rows()).map(({ name, note }) => `${name}: ${note}`);
		expect(new Set(notes)).toEqual(
			new Set([
				'Ada: Calls per Person is 3 ever, which is used up, so nobody is called for this row',
				'Ada: Same number as row 1',
				'Bob: Reached before (Stop When Reached)',
			]),
		);
	});

	it('never calls again while a call is open, or when it is unknown whether there was one, also on the next day', async () => {
		const { run, outcomes, phoneOf } = await imported('until reached, open', ['Open'], 'live');
		await setClock(MONDAY, '15:00:00');
		bench.sandbox.callErrors.set(phoneOf.Open!, 'Nobody answered');
		bench.sandbox.settings.finishAfterMs = 8_000;
		await run();
		expect(await outcomes()).toEqual({ Open: 'open' });
		await setClock(MONDAY, '15:00:00', 1);
		await run();
		expect(bench.dialed).toHaveLength(1);
		await until('the call has ended', async () => {
			await run();
			return (await outcomes()).Open !== 'open';
		});
		await run();
		expect(bench.dialed).toHaveLength(2);

		const unknown = await imported('until reached, unknown', ['Maybe'], 'live');
		bench.sandbox.reset();
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1 });
		await unknown.run();
		expect(await unknown.outcomes()).toEqual({ Maybe: 'unknown' });
		await setClock(MONDAY, '15:00:00', 2);
		await unknown.run();
		expect(unknown.times('Maybe')).toBe(1);
	});

	it('as it is imported, calls nobody', async () => {
		const { run, table } = await imported('until reached, rehearsed', ['Ada', 'Bob'], 'dryRun');
		await run();
		await run();
		expect((await table.rows()).map(({ outcome, note }) => [outcome, note])).toEqual(
			Array(2).fill(['', 'dry_run']),
		);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

describe('same-people-again.workflow.json', () => {
	const written = { call_status: '', reached: '', note: '' };
	const patients = ['Ada', 'Bob', 'Cleo'].map((name, n) => ({ name, phone: `+1415555018${n}` }));

	async function imported(table: DataTable) {
		const example = await importExample(bench, 'same-people-again.workflow.json', {
			changes: {
				...Object.fromEntries(
					['Appointments', 'Write call', 'Write why not'].map((node) => [node, chosen(table)]),
				),
				'Call patients': { pollInterval: 1 },
			},
		});
		Object.assign(
			example.nodes.find(({ name }) => name === 'Call patients')!.parameters.options as object,
			{ callingHours: everyDay },
		);
		Object.assign(example.settings!, { timezone: 'Etc/UTC' });
		return await bench.stage.client.updateWorkflow(example);
	}

	it('calls each patient once for each appointment, however date and time are written, and the same patients for the next one', async () => {
		bench.sandbox.settings.agents.find(({ number }) => number === AGENT_WITH_PROMPT)!.placeholders =
			['name', 'appointment'];
		// Expressions have the machine's own clock: it is always this tomorrow.
		const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
		const german = tomorrow.split('-').map(Number).reverse().join('.');
		const rows = patients.map((patient) => ({
			...patient,
			date: tomorrow,
			time: '09:00',
			...written,
		}));
		const table = await bench.stage.client.createDataTable('appointments', rows);
		const workflow = await rehearsed(
			bench,
			await imported(table),
			'Call patients',
			'Remind of tomorrow',
		);
		const run = async () =>
			succeeded(await bench.stage.client.runAndWait(workflow, 'Remind of tomorrow'));

		const called = (execution: Execution) =>
			jsonOf(execution, 'Write call').map(({ name }) => name);
		expect(called(await run())).toEqual(['Ada', 'Bob', 'Cleo']);
		expect((await table.rows()).map(({ call_status, reached }) => [call_status, reached])).toEqual(
			Array(3).fill(['initiated', 'yes']),
		);

		// Somebody spells the table anew, and enters an appointment that nobody can read.
		await table.update({ name: 'Ada' }, { date: german, time: '9:00' });
		await table.update({ name: 'Bob' }, { time: '9:00 AM', phone: '+1 (415) 555-0181' });
		await table.insert([
			{ name: 'Dana', phone: '+14155550183', date: 'soon', time: '09:00', ...written },
		]);
		expect(called(await run())).toEqual([]);
		expect(bench.dialed).toHaveLength(3);
		expect((await table.rows()).at(-1)).toMatchObject({
			name: 'Dana',
			note: 'Correct the date or the time: they cannot be read.',
		});

		// On another day, the same people have their next appointments.
		await setClock(MONDAY, '10:00:00');
		await table.insert(
			patients.map((patient) => ({ ...patient, date: tomorrow, time: '14:30', ...written })),
		);
		expect(called(await run())).toEqual(['Ada', 'Bob', 'Cleo']);
		expect(called(await run())).toEqual([]);
		expect(bench.dialed.sort()).toEqual(
			[...patients, ...patients].map(({ phone }) => phone).sort(),
		);
		expect(bench.sandbox.journal.at(-1)!.variables.appointment).toBe(`${tomorrow} 14:30`);
	});

	it('as it is imported, calls nobody', async () => {
		const table = await bench.stage.client.createDataTable('appointments, rehearsed', [
			{ ...patients[0]!, date: '2026-12-01', time: '9:00', ...written },
		]);
		succeeded(await bench.stage.client.runAndWait(await imported(table), 'Remind of tomorrow'));
		expect(bench.sandbox.requests).toEqual([]);
	});
});

/** As a CRM does: asks until an answer says that it is settled. */
async function insist<A extends { code: number }>(
	ask: () => Promise<A>,
	answers: A[],
): Promise<void> {
	await until(
		'the CRM has an answer',
		async () => {
			const answer = await ask().catch(() => undefined);
			const settled = answer !== undefined && answer.code < 500;
			if (settled) answers.push(answer);
			else await sleep(500);
			return settled;
		},
		600_000,
	);
}

/** What the CRM sends in a dry run; then Live. */
const setToLive = async (
	workflow: SavedWorkflow,
	dryRun: () => Promise<unknown>,
): Promise<SavedWorkflow> => {
	const live = structuredClone(workflow);
	fillIn(live, 'Call customer', { mode: 'live' });
	return await bench.afterDryRun(live, dryRun);
};

describe('crm-call-at-their-hours.workflow.json', () => {
	const record = {
		record_id: 'crm-1',
		name: 'Ada',
		phone: '+14155550101',
		amount: 12.5,
		opted_out: 'no',
		time_zone: 'Etc/UTC',
	};
	type Answer = {
		code: number;
		status?: string;
		stored?: boolean;
		called?: string;
		reason?: string;
	};

	let active: SavedWorkflow | undefined;
	afterEach(async () => {
		if (active) await bench.stage.client.deactivate(active);
		active = undefined;
		for (const name of ['opt_outs', 'call_requests'])
			await (await bench.stage.client.findDataTable(name))?.remove();
	});

	/** The example, active, at this time of a Monday, and the CRM that asks it. Before it goes live, the CRM has sent a record in a dry run. */
	async function crm(mode: 'live' | 'dryRun', time: string) {
		const { client } = bench.stage;
		await setClock(MONDAY, '10:00:00');
		const data = { name: 'X-CRM-Secret', value: 'only the CRM knows' };
		const secret = await client.createCredential({
			name: 'CRM secret',
			type: 'httpHeaderAuth',
			data,
		});
		const example = await importExample(bench, 'crm-call-at-their-hours.workflow.json', {
			credentials: [secret],
		});
		const calling = example.nodes.find(({ name }) => name === 'Call customer')!;
		Object.assign(calling.parameters.options as object, { callsPerMinute: 6_000 });
		// It runs when the tests say so. By itself it would run in the middle of one of them, now and then.
		fillIn(example, 'Every five minutes', {
			rule: { interval: [{ field: 'cronExpression', expression: '0 3 29 2 *' }] },
		});
		const workflow = await client.updateWorkflow(example);
		active = workflow;
		await bench.publish(workflow);
		const url = webhookUrl(bench, 'call-customer-at-their-hours');
		await webhookListens(() => postJson(url, record));
		const ask = async (asked: object): Promise<Answer> => {
			const answer = await postJson(url, asked, { 'X-CRM-Secret': 'only the CRM knows' });
			return { code: answer.status, ...((await answer.json()) as object) };
		};
		if (mode === 'live')
			await bench.publish(await setToLive(workflow, () => ask({ ...record, record_id: 'test-1' })));
		await setClock(MONDAY, time);
		const requests = async () => (await client.findDataTable('call_requests'))!;
		const optOuts = async () => (await client.findDataTable('opt_outs'))!;
		return {
			workflow,
			ask,
			requests,
			optOuts,
			/** The lower part runs, when the time of all who wait has come. (Expressions of n8n have the machine's own clock.) */
			run: async () => {
				await (await requests()).update({ state: 'waiting' }, { next_try_at: '' });
				return succeeded(await client.runAndWait(workflow, 'Every five minutes'));
			},
			waiting: async () =>
				(await (await requests()).rows()).filter(({ state }) => state === 'waiting'),
		};
	}

	it('calls at once in the daytime, each request once, and asks for what must be there', async () => {
		const { ask, requests } = await crm('live', '10:00:00');
		const called = await ask(record);
		expect(called).toMatchObject({
			code: 200,
			stored: true,
			status: 'initiated',
			called: 'yes',
			external_call_id: 'crm-1',
			next_try_at: '',
		});
		// The table's columns are of the time before the call: to the CRM, "waiting" would say that nobody was called.
		expect(Object.keys(called)).not.toContain('state');
		expect(await ask(record)).toMatchObject({
			code: 200,
			status: 'already_called',
			called: 'no',
			next_try_at: '',
		});
		const tomorrow = { callable_at: expect.any(String), next_try_at: expect.stringMatching(/Z$/) };
		expect(await ask({ ...record, record_id: 'crm-2' })).toMatchObject({
			code: 200,
			status: 'limit_reached',
			...tomorrow,
		});
		expect(await ask({ ...record, record_id: undefined })).toMatchObject({
			code: 400,
			stored: false,
			reason: expect.stringMatching(/record_id/),
		});
		expect(await ask({ ...record, phone: '' })).toMatchObject({
			code: 400,
			stored: false,
			reason: expect.stringMatching(/phone/),
		});
		expect(await ask({ ...record, record_id: 'crm-3', phone: '0155 501' })).toMatchObject({
			code: 422,
			stored: true,
			status: 'invalid',
		});
		expect(bench.dialed).toEqual([record.phone]);
		const written = (await (await requests()).rows()).map(
			({ record_id, state, outcome, was_called }) => [record_id, state, outcome, was_called],
		);
		expect(written).toEqual([
			['test-1', 'dry run', 'dry_run', 'no'],
			['crm-1', 'done', 'initiated', 'yes'],
			['crm-1', 'done', 'already_called', 'no'],
			['crm-2', 'waiting', 'limit_reached', 'no'],
			['crm-3', 'done', 'invalid', 'no'],
		]);
	});

	it('stores whatever is not clearly no as an opt-out, as it was received and cleaned, and calls nobody of them', async () => {
		const { ask, optOuts } = await crm('live', '10:00:00');
		const said = ['yes', true, '', undefined, null, 'who knows', 'nope', { no: 'no' }];
		for (const [n, opted_out] of said.entries()) {
			const received = `+1 (415) 555-012${n}`;
			expect([
				opted_out,
				await ask({ ...record, record_id: n % 2 ? '' : `crm-${n}`, phone: received, opted_out }),
			]).toMatchObject([
				opted_out,
				{
					code: 200,
					stored: true,
					status: 'do_not_call',
					called: 'no',
					destination: `+1415555012${n}`,
				},
			]);
		}
		const unreadable = await ask({ ...record, phone: 'Ada, at home', opted_out: 'yes' });
		expect(unreadable).toMatchObject({
			code: 422,
			stored: true,
			reason: expect.stringMatching(/protects nobody/),
		});
		// A line that somebody wrote by hand, and one that nobody can read.
		await (await optOuts()).insert([{ phone: '415 555 0131' }, { phone: 'Bob' }]);
		const lines = (await (await optOuts()).rows()).map(({ received, phone }) => [received, phone]);
		expect(lines.slice(0, 8)).toEqual(
			said.map((_, n) => [`+1 (415) 555-012${n}`, `+1415555012${n}`]),
		);
		expect(lines[8]).toEqual(['Ada, at home', 'Ada, at home']);

		const clear = ['no', 'No ', false, 'false', 0, 'n'];
		for (const [n, opted_out] of clear.entries()) {
			const blocked = { ...record, record_id: `blocked-${n}`, phone: `+1415555012${n}`, opted_out };
			expect(await ask(blocked)).toMatchObject({ code: 200, status: 'do_not_call', called: 'no' });
			const free = { ...record, record_id: `free-${n}`, phone: `+1415555014${n}`, opted_out };
			expect(await ask(free)).toMatchObject({ code: 200, status: 'initiated', called: 'yes' });
		}
		expect(await ask({ ...record, record_id: 'by-hand', phone: '+14155550131' })).toMatchObject({
			status: 'do_not_call',
		});
		expect(bench.dialed).toEqual(clear.map((_, n) => `+1415555014${n}`));
		const noted = (await (await optOuts()).rows()).filter(({ note }) =>
			String(note ?? '').includes('protects nobody'),
		);
		expect(noted.map(({ phone }) => phone)).toEqual(['Ada, at home', 'Bob']);
	});

	it('at night answers at once, waits, and calls each customer once when their hours begin', async () => {
		const { ask, run, waiting } = await crm('live', '04:00:00');
		const [first, again] = [await ask(record), await ask(record)];
		expect([first, again]).toMatchObject(
			Array(2).fill({
				code: 200,
				status: 'outside_hours',
				callable_at: expect.stringMatching(/T09:00:00/),
			}),
		);
		await ask({ ...record, record_id: 'crm-2', phone: '+1 415 555 0101' });
		await ask({ ...record, record_id: 'crm-3', amount: 99 });
		await ask({ ...record, record_id: 'crm-4', phone: '+14155550102' });
		await run();
		expect([bench.dialed, (await waiting()).length]).toEqual([[], 5]);

		// One of them opts out, in another spelling.
		await ask({ ...record, record_id: 'customer-4', phone: '+1 (415) 555-0102', opted_out: 'yes' });
		await setClock(MONDAY, '09:00:01');
		const execution = await run();
		expect(
			jsonOf(execution, 'Call customer').map(({ record_id, status }) => [record_id, status]),
		).toEqual([
			['crm-1', 'initiated'],
			['crm-1', 'duplicate'],
			['crm-2', expect.stringMatching(/^(same_number|duplicate)$/)],
			['crm-3', 'same_number'],
			['crm-4', 'do_not_call'],
		]);
		expect(jsonOf(execution, 'CRM: called').map(({ record_id }) => record_id)).toContain('crm-1');
		expect(jsonOf(execution, 'CRM: not called').map(({ record_id }) => record_id)).toContain(
			'crm-4',
		);
		expect(await waiting()).toEqual([]);
		await run();
		expect(bench.dialed).toEqual([record.phone]);
		expect(bench.sandbox.journal[0]).toMatchObject({
			externalCallId: 'crm-1',
			variables: { name: 'Ada', amount: '12.5' },
		});
	});

	it('tries a waiting call again that was refused, and reports it in the end', async () => {
		const { ask, run, waiting } = await crm('live', '04:00:00');
		await ask(record);
		await ask({ ...record, record_id: 'crm-2', phone: '+14155550102' });
		await setClock(MONDAY, '10:00:00');
		bench.sandbox.settings.dailyLimit = 0;
		await run();
		expect((await waiting()).map(({ record_id, outcome }) => [record_id, outcome])).toEqual([
			['crm-1', 'refused'],
			['crm-2', 'refused'],
		]);
		expect(
			(await waiting()).every(({ next_try_at }) => Date.parse(String(next_try_at)) > Date.now()),
		).toBe(true);
		delete bench.sandbox.settings.dailyLimit;
		bench.sandbox.destinationOutcome.set('+14155550102', {
			status: 'rate_limited',
			error: 'Too many calls',
		});
		let last = await run();
		expect(bench.dialed).toEqual([record.phone]);
		for (let tries = 2; tries < 7 && (await waiting()).length > 0; tries++) last = await run();
		expect(await waiting()).toEqual([]);
		expect(jsonOf(last, 'CRM: not called')).toMatchObject([
			{ record_id: 'crm-2', status: expect.stringMatching(/^(rate_limited|refused)$/) },
		]);
	});

	it('100 requests at once, doubled and out of order, while the database fails for two seconds and n8n is killed: one call at most for each, every opt-out is kept, every request answered', async () => {
		const { workflow, ask, run, requests, waiting, optOuts } = await crm('live', '10:00:00');
		const phoneOf = (n: number) => `+1415555${String(2000 + n)}`;
		const calls = Array.from({ length: 40 }, (_, n) => ({
			...record,
			record_id: `many-${n}`,
			phone: phoneOf(n),
		}));
		// Every fourth customer opts out meanwhile, in another spelling.
		const out = calls
			.filter((_, n) => n % 4 === 0)
			.map((call) => ({
				...call,
				phone: call.phone.replace('+1415', '+1 (415) '),
				opted_out: 'yes',
			}));
		const sent = [...calls, ...out].flatMap((asked) => [asked, asked]);
		const messages = sent.map((_, n) => sent[(n * 37) % sent.length]!);
		expect(messages).toHaveLength(100);
		const answers: Answer[] = [];
		const all = Promise.all(
			messages.map(async (message) => await insist(() => ask(message), answers)),
		);
		const failing = failForTwoSeconds(bench.stage);
		await failing;
		await until('some are answered', () => answers.length >= 20);
		await bench.stage.client.run(workflow, 'Every five minutes');
		await until('some are called', () => bench.dialed.length > 0);
		await bench.crash();
		const dialed = bench.dialed.length;
		await bench.startAgain();
		await all;
		for (let rounds = 0; rounds < 8 && (await waiting()).length > 0; rounds++) await run();

		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(answers).toHaveLength(100);
		expect(
			answers.filter(({ code, stored, status }) => code !== 200 || stored !== true || !status),
		).toEqual([]);
		const kept = new Set((await (await optOuts()).rows()).map(({ phone }) => phone));
		expect(out.filter(({ phone }) => !kept.has(phone.replace(/[ ()]/g, '')))).toEqual([]);
		expect(await waiting()).toEqual([]);
		const settled = (await (await requests()).rows()).filter(({ record_id }) =>
			String(record_id).startsWith('many-'),
		);
		expect(new Set(settled.map(({ record_id }) => record_id)).size).toBe(40);
		expect(settled.filter(({ state, outcome }) => state !== 'done' || !outcome)).toEqual([]);
		say(
			`killed after ${dialed} calls; of 40 customers, ${bench.dialed.length} were called, 10 opted out`,
		);
		const before = bench.dialed.length;
		for (const message of out)
			await ask({ ...message, record_id: `${message.record_id}-again`, opted_out: 'no' });
		expect(bench.dialed).toHaveLength(before);
	});

	it('as it is imported, calls nobody, and calls nobody later of those who asked then', async () => {
		const { workflow, ask, run, waiting } = await crm('dryRun', '04:00:00');
		expect(await ask(record)).toMatchObject({
			code: 200,
			status: 'outside_hours',
			next_try_at: '',
		});
		await setClock(MONDAY, '10:00:00');
		expect(await ask({ ...record, record_id: 'crm-2' })).toMatchObject({ status: 'dry_run' });
		expect(await waiting()).toEqual([]);
		const live = structuredClone(workflow);
		fillIn(live, 'Call customer', { mode: 'live' });
		await bench.publish(await bench.stage.client.updateWorkflow(live));
		await run();
		expect(bench.sandbox.requests).toEqual([]);
	});
});

describe('call-desk.workflow.json and call-desk-callers.workflow.json', () => {
	const asksIt = ['Desk, for the sheet', 'Desk, for the CRM', 'Ask the desk'];
	const FIRST = '+14155550111';
	let published: SavedWorkflow[] = [];
	afterEach(async () => {
		for (const workflow of published) await bench.stage.client.deactivate(workflow);
		published = [];
		for (const name of ['opt_outs', 'call_desk'])
			await (await bench.stage.client.findDataTable(name))?.remove();
	});

	/** Both, active, on a Monday at ten in the United States, with these people in the sheet. The desk was asked in a dry run before. */
	async function desk(name: string, people: object[], mode: 'live' | 'dryRun') {
		const { client } = bench.stage;
		await setClock(MONDAY, '17:00:00');
		const model = await startToolModel([
			() => ({
				tool: 'Ask_the_desk',
				arguments: { phone: FIRST, prompt_variables: { name: 'Ada', amount: '12.50' } },
			}),
			() => ({ says: 'Done.' }),
		]);
		const credentials = [
			await client.createCredential({
				name: 'CRM secret',
				type: 'httpHeaderAuth',
				data: { name: 'X-CRM-Secret', value: 'only the CRM knows' },
			}),
			await client.createCredential({
				name: 'OpenAI stand-in',
				type: 'openAiApi',
				data: { apiKey: 'none', url: model.url, header: false },
			}),
		];
		const example = await importExample(bench, 'call-desk.workflow.json');
		Object.assign(
			example.nodes.find(({ name: node }) => node === 'Call people')!.parameters.options as object,
			{ callsPerMinute: 6_000 },
		);
		const policy = await client.updateWorkflow(example);
		published.push(policy);
		await bench.publish(policy);
		const table = await client.createDataTable(
			name,
			people.map((person) => ({ opted_out: '', call_status: '', called: '', note: '', ...person })),
		);
		const workflowId = { __rl: true, mode: 'id', value: policy.id };
		const callers = await importExample(bench, 'call-desk-callers.workflow.json', {
			credentials,
			changes: {
				People: chosen(table),
				'Write outcome': chosen(table),
				Chat: { public: true },
				...Object.fromEntries(asksIt.map((node) => [node, { workflowId }])),
			},
		});
		for (const node of callers.nodes)
			if (node.name === 'Chat') node.webhookId = `desk-${published.length}-${Date.now()}`;
		const chat = callers.nodes.find(({ name: node }) => node === 'Chat')!.webhookId!;
		let current = await client.updateWorkflow(callers);
		const sheet = async () => succeeded(await client.runAndWait(current, 'Ask for the sheet'));
		await sheet();
		expect(bench.sandbox.requests).toEqual([]);
		if (mode === 'live') {
			const live = structuredClone(current);
			for (const node of live.nodes) {
				const inputs = node.parameters.workflowInputs as unknown as
					{ value: { mode: string } } | undefined;
				if (inputs) inputs.value.mode = 'live';
			}
			current = await client.updateWorkflow(live);
		}
		published.push(current);
		await bench.publish(current);
		const url = webhookUrl(bench, 'ask-the-call-desk');
		await webhookListens(() => postJson(url, {}));
		return {
			sheet,
			table,
			crm: async (asked: object) => {
				const answer = await postJson(url, asked, { 'X-CRM-Secret': 'only the CRM knows' });
				return {
					code: answer.status,
					...((await answer.json()) as { status?: string; called?: string }),
				};
			},
			agent: async () => {
				const answer = await postJson(webhookUrl(bench, `${chat}/chat`), {
					action: 'sendMessage',
					sessionId: 'one',
					chatInput: 'Call Ada.',
				});
				expect(answer.status).toBe(200);
				return (JSON.parse(model.answers[0]!) as Array<{ status?: string; called?: string }>)[0]!;
			},
			log: async () =>
				(await (await client.findDataTable('call_desk'))!.rows()).filter(
					(row) => row.mode === 'live',
				),
			optOuts: async () => (await client.findDataTable('opt_outs'))!,
			close: () => model.close(),
		};
	}
	const ada = { name: 'Ada', amount: '12.50' };

	it('a sheet, a CRM and an agent that ask for one person at the same moment lead to one call, and each reads its outcome', async () => {
		const people = [
			{ ...ada, phone: '+1 (415) 555-0111' },
			{ name: 'Bob', amount: '7', phone: '+14155550112' },
			{ name: 'Cleo', amount: '8', phone: '+1 (415) 555-0113', opted_out: 'please not' },
		];
		const { sheet, crm, agent, table, log, optOuts, close } = await desk(
			'people of the desk',
			people,
			'live',
		);
		const [, fromCrm, fromAgent] = await Promise.all([
			sheet(),
			crm({ ...ada, record_id: 'r-1', phone: FIRST, opted_out: 'no' }),
			agent(),
		]);
		await close();
		const rows = await table.rows();
		const outcomes = [rows[0]!.call_status, fromCrm.status, fromAgent.status];
		expect(outcomes.sort()).toEqual(['initiated', 'limit_reached', 'limit_reached']);
		expect(rows.slice(1).map(({ call_status, called }) => [call_status, called])).toEqual([
			['initiated', 'yes'],
			['do_not_call', 'no'],
		]);
		expect(bench.dialed.sort()).toEqual([FIRST, '+14155550112']);
		expect(
			(await log())
				.map(({ asked_by, outcome }) => [asked_by, outcome])
				.filter(([, outcome]) => !outcome),
		).toEqual([]);
		expect(await log()).toHaveLength(5);

		// Whoever opted out in one place is called from nowhere; a line that nobody can read blocks only itself.
		await (await optOuts()).insert([{ phone: 'Bob' }]);
		expect(
			await crm({ ...ada, record_id: 'r-2', phone: '+14155550113', opted_out: 'no' }),
		).toMatchObject({ code: 200, status: 'do_not_call' });
		expect(
			await crm({ ...ada, record_id: 'r-3', phone: '+14155550114', opted_out: '' }),
		).toMatchObject({
			code: 200,
			status: 'initiated',
			called: 'yes',
		});
		expect(
			await crm({ ...ada, record_id: 'r-3', phone: '+14155550114', opted_out: '' }),
		).toMatchObject({ status: 'already_called' });
		expect(bench.dialed).toHaveLength(3);
	});

	it('100 requests at once, doubled and out of order, while the database fails for two seconds and n8n is killed: one call at most for each, every opt-out is kept, every request answered', async () => {
		const { crm, optOuts, close } = await desk(
			'people of the desk, many',
			[{ ...ada, phone: FIRST }],
			'live',
		);
		await close();
		const calls = Array.from({ length: 40 }, (_, n) => ({
			...ada,
			record_id: `many-${n}`,
			phone: `+1415555${3000 + n}`,
			opted_out: 'no',
		}));
		const out = calls
			.filter((_, n) => n % 4 === 0)
			.map((call) => ({
				...call,
				phone: call.phone.replace('+1415', '+1 (415) '),
				opted_out: 'yes',
			}));
		const sent = [...calls, ...out].flatMap((asked) => [asked, asked]);
		const messages = sent.map((_, n) => sent[(n * 37) % sent.length]!);
		const answers: Array<{ code: number; status?: string }> = [];
		const all = Promise.all(
			messages.map(async (message) => await insist(() => crm(message), answers)),
		);
		await failForTwoSeconds(bench.stage);
		await until('some are called', () => bench.dialed.length > 0);
		await bench.crash();
		const dialed = bench.dialed.length;
		await bench.startAgain();
		await all;

		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(answers).toHaveLength(100);
		expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([200]));
		const statuses = ['initiated', 'already_called', 'do_not_call', 'limit_reached', 'unknown'];
		expect(answers.filter(({ status = '' }) => !statuses.includes(status))).toEqual([]);
		const kept = new Set(
			(await (await optOuts()).rows()).map(({ phone }) => String(phone).replace(/[ ()]/g, '')),
		);
		expect(out.filter(({ phone }) => !kept.has(phone.replace(/[ ()]/g, '')))).toEqual([]);
		say(
			`killed after ${dialed} calls; of 40 people, ${bench.dialed.length} were called, 10 opted out`,
		);
		const before = bench.dialed.length;
		for (const { record_id, phone } of out)
			await crm({ ...ada, record_id: `${record_id}-again`, phone, opted_out: 'no' });
		expect(bench.dialed).toHaveLength(before);
	});

	it('as they are imported, nobody is called', async () => {
		const { crm, agent, close } = await desk(
			'people of the desk, rehearsed',
			[{ ...ada, phone: FIRST }],
			'dryRun',
		);
		expect(await crm({ ...ada, record_id: 'r-1', phone: FIRST })).toMatchObject({
			code: 200,
			status: 'dry_run',
			called: 'no',
		});
		expect(await agent()).toMatchObject({ status: 'dry_run' });
		await close();
		expect(bench.sandbox.requests).toEqual([]);
	});
});
