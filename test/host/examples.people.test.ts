import { AGENT_WITH_PROMPT } from '../engine/helpers/workflows';
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
import { until } from './helpers/hostBench';
import { rowsOf } from './helpers/outcomes';

/** Examples that are about the same people again and again. */
const { bench, setClock, resetClock } = hostBenchWithClock();
afterEach(resetClock);

const everyDay = { window: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }] };

describe('until-reached.workflow.json', () => {
	const empty = { outcome: '', called_at: '', note: '', consent_id: '', batch_id: '' };

	async function imported(name: string, people: string[], mode: 'live' | 'dryRun') {
		const { client } = bench.stage;
		const rows = people.map((person, n) => ({ name: person, phone: `+1415555017${n}`, amount: '1', ...empty }));
		const table = await client.createDataTable(name, rows);
		const choice = chosen(table);
		const workflow = await importExample(bench, 'until-reached.workflow.json', {
			changes: {
				...Object.fromEntries(['Open calls', 'Write what became of them', 'People', 'Write call', 'Write why not'].map((node) => [node, choice])),
				'Call contacts': { pollInterval: 1, waitTimeout: 0.05 },
			},
		});
		Object.assign(workflow.nodes.find(({ name: node }) => node === 'Call contacts')!.parameters.options as object, { callingHours: everyDay });
		const example = await client.updateWorkflow(workflow);
		const saved = mode === 'live' ? await rehearsed(bench, example, 'Call contacts', 'Every half hour') : example;
		const phoneOf = Object.fromEntries(rows.map((row) => [row.name, row.phone]));
		return {
			table,
			phoneOf,
			times: (person: string) => bench.dialed.filter((phone) => phone === phoneOf[person]).length,
			run: async () => succeeded(await client.runAndWait(saved, 'Every half hour')),
			outcomes: async () => Object.fromEntries((await table.rows()).map(({ name: person, outcome }) => [person, outcome])),
		};
	}

	/** Somebody empties the columns, or the step that writes them was never reached. */
	const forget = async (table: DataTable) => {
		for (const { id } of await table.rows()) await table.update({ id: id! }, empty);
	};

	it('executed over and over, calls nobody twice on a day, nor a fourth time, nor after they were reached, whatever the table has forgotten', async () => {
		const { run, table, outcomes, times, phoneOf } = await imported('until reached', ['Ada', 'Bob'], 'live');
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
			new Set(['Ada: Calls per Person is 3 ever, and so many were started', 'Ada: Same number as row 1', 'Bob: Reached before (Stop When Reached)']),
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
		expect((await table.rows()).map(({ outcome, note }) => [outcome, note])).toEqual(Array(2).fill(['', 'dry_run']));
		expect(bench.sandbox.requests).toEqual([]);
	});
});

describe('same-people-again.workflow.json', () => {
	const written = { call_status: '', reached: '', note: '' };
	const patients = ['Ada', 'Bob', 'Cleo'].map((name, n) => ({ name, phone: `+1415555018${n}` }));

	async function imported(table: DataTable) {
		const example = await importExample(bench, 'same-people-again.workflow.json', {
			changes: {
				...Object.fromEntries(['Appointments', 'Write call', 'Write why not'].map((node) => [node, chosen(table)])),
				'Call patients': { pollInterval: 1 },
			},
		});
		Object.assign(example.nodes.find(({ name }) => name === 'Call patients')!.parameters.options as object, { callingHours: everyDay });
		Object.assign(example.settings!, { timezone: 'Etc/UTC' });
		return await bench.stage.client.updateWorkflow(example);
	}

	it('calls each patient once for each appointment, however date and time are written, and the same patients for the next one', async () => {
		bench.sandbox.settings.agents.find(({ number }) => number === AGENT_WITH_PROMPT)!.placeholders = ['name', 'appointment'];
		// Expressions have the machine's own clock: it is always this tomorrow.
		const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
		const german = tomorrow.split('-').map(Number).reverse().join('.');
		const rows = patients.map((patient) => ({ ...patient, date: tomorrow, time: '09:00', ...written }));
		const table = await bench.stage.client.createDataTable('appointments', rows);
		const workflow = await rehearsed(bench, await imported(table), 'Call patients', 'Remind of tomorrow');
		const run = async () => succeeded(await bench.stage.client.runAndWait(workflow, 'Remind of tomorrow'));

		const called = (execution: Execution) => jsonOf(execution, 'Write call').map(({ name }) => name);
		expect(called(await run())).toEqual(['Ada', 'Bob', 'Cleo']);
		expect((await table.rows()).map(({ call_status, reached }) => [call_status, reached])).toEqual(Array(3).fill(['initiated', 'yes']));

		// Somebody spells the table anew, and enters an appointment that nobody can read.
		await table.update({ name: 'Ada' }, { date: german, time: '9:00' });
		await table.update({ name: 'Bob' }, { time: '9:00 AM', phone: '+1 (415) 555-0181' });
		await table.insert([{ name: 'Dana', phone: '+14155550183', date: 'soon', time: '09:00', ...written }]);
		expect(called(await run())).toEqual([]);
		expect(bench.dialed).toHaveLength(3);
		expect((await table.rows()).at(-1)).toMatchObject({ name: 'Dana', note: 'Correct the date or the time: they cannot be read.' });

		// On another day, the same people have their next appointments.
		await setClock(MONDAY, '10:00:00');
		await table.insert(patients.map((patient) => ({ ...patient, date: tomorrow, time: '14:30', ...written })));
		expect(called(await run())).toEqual(['Ada', 'Bob', 'Cleo']);
		expect(called(await run())).toEqual([]);
		expect(bench.dialed.sort()).toEqual([...patients, ...patients].map(({ phone }) => phone).sort());
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

/** What the CRM sends in a dry run; then Live. */
const setToLive = async (workflow: SavedWorkflow, dryRun: () => Promise<unknown>): Promise<SavedWorkflow> => {
	const live = structuredClone(workflow);
	fillIn(live, 'Call customer', { mode: 'live' });
	return await bench.afterDryRun(live, dryRun);
};

describe('crm-call-at-their-hours.workflow.json', () => {
	const record = { record_id: 'crm-1', name: 'Ada', phone: '+15550107101', amount: 12.5, opted_out: 'no', time_zone: 'Etc/UTC' };

	/** The example, active, at this time of a Monday, and the CRM that asks it. Before it goes live, the CRM has sent a record in a dry run. */
	async function crm(mode: 'live' | 'dryRun', time: string) {
		const { client } = bench.stage;
		await setClock(MONDAY, '10:00:00');
		const data = { name: 'X-CRM-Secret', value: 'only the CRM knows' };
		const secret = await client.createCredential({ name: 'CRM secret', type: 'httpHeaderAuth', data });
		const workflow = await importExample(bench, 'crm-call-at-their-hours.workflow.json', {
			credentials: [secret],
		});
		await bench.publish(workflow);
		const url = webhookUrl(bench, 'call-customer-at-their-hours');
		await webhookListens(() => postJson(url, record));
		const ask = async (asked: object) => {
			const answer = await postJson(url, asked, { 'X-CRM-Secret': 'only the CRM knows' });
			return (await answer.json()) as { status?: string };
		};
		if (mode === 'live') await bench.publish(await setToLive(workflow, () => ask({ ...record, record_id: 'test-1' })));
		await setClock(MONDAY, time);
		return { workflow, ask, end: async () => await client.deactivate(workflow) };
	}

	it('calls at once in the daytime, and nobody who opted out or of whom that is not said', async () => {
		const { ask, end } = await crm('live', '10:00:00');
		expect(await ask(record)).toMatchObject({ status: 'initiated', called: 'yes', external_call_id: 'crm-1' });
		expect(await ask(record)).toMatchObject({ status: 'already_called' });
		const other = { ...record, record_id: 'crm-2', phone: '+15550107102' };
		expect(await ask({ ...other, opted_out: true })).toMatchObject({ status: 'do_not_call' });
		expect(await ask({ ...other, record_id: 'crm-6' })).toMatchObject({ status: 'do_not_call' });
		expect(await ask({ ...record, record_id: 'crm-3', opted_out: undefined })).toMatchObject({ status: 'invalid' });
		expect(await ask({ ...record, record_id: 'crm-5', opted_out: '' })).toMatchObject({ status: 'invalid' });
		expect(await ask({ ...record, record_id: 'crm-4', opted_out: 'who knows' })).toMatchObject({ status: 'invalid' });
		expect(bench.dialed).toEqual([record.phone]);
		await end();
	});

	it('at night answers at once, waits, and calls once when their hours begin', async () => {
		const { workflow, ask, end } = await crm('live', '08:59:40');
		const answers = [await ask(record), await ask(record), await ask({ ...record, record_id: 'crm-2', phone: '+15550107103', opted_out: 'yes' })];
		expect(answers).toMatchObject([
			{ status: 'outside_hours', callable_at: expect.stringMatching(/T09:00:00/) },
			{ status: 'outside_hours' },
			{ status: 'do_not_call' },
		]);
		expect(bench.dialed).toEqual([]);
		await until('the day has begun', () => bench.dialed.length > 0);
		const executions = await bench.ended(workflow, 3);
		expect(executions.map(({ status }) => status)).toEqual(Array(3).fill('success'));
		expect(bench.dialed).toEqual([record.phone]);
		expect(bench.sandbox.journal[0]).toMatchObject({ externalCallId: 'crm-1', variables: { name: 'Ada', amount: '12.5' } });
		await end();
	});

	it('somebody who opts out while the call waits is not called', async () => {
		const { workflow, ask, end } = await crm('live', '08:59:40');
		const waiting = { ...record, record_id: 'crm-7', phone: '+1 (415) 555-0172' };
		expect(await ask(waiting)).toMatchObject({ status: 'outside_hours' });
		const changed = { ...waiting, record_id: 'customer-7', phone: '+14155550172', opted_out: 'yes' };
		expect([await ask(changed), await ask(changed)]).toMatchObject([{ status: 'do_not_call' }, { status: 'do_not_call' }]);
		const optOuts = await (await bench.stage.client.findDataTable('opt_outs'))!.rows();
		expect(optOuts.filter(({ phone }) => phone === '+14155550172')).toHaveLength(1);
		const executions = await bench.ended(workflow, 3);
		// The one that waited has asked twice.
		const waited = executions.filter(({ data }) => data.resultData.runData['Call customer']?.length === 2);
		expect(waited.map((execution) => rowsOf(execution, 'Call customer').map(({ json }) => json.status))).toEqual([['do_not_call']]);
		expect(bench.dialed).toEqual([]);
		await end();
	});

	it('as it is imported, calls nobody', async () => {
		const { ask, end } = await crm('dryRun', '10:00:00');
		expect(await ask(record)).toMatchObject({ status: 'dry_run' });
		expect(bench.sandbox.requests).toEqual([]);
		await end();
	});
});
