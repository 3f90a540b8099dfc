import type { INodeParameters, IDataObject } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import type { Finished, RunRequest } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { shown, pairs, statuses, all, linesOf, says } from './helpers/outcomes';
import { goesOn } from './helpers/onError';
import { until } from './helpers/turns';
import { bulk, cancel, contacts, phone, phones, place } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const oneLane = { parallelRequests: 1, maxRetryWait: 0 };
const skip = (more: INodeParameters = {}): INodeParameters =>
	bulk({ calledBefore: 'skip', options: oneLane, ...more });

const forgets = { resource: 'memory', operation: 'forget' };
const forget = (people: string): INodeParameters => ({ ...forgets, people });
const everybody: INodeParameters = { ...forgets, forgetWhat: 'everybody' };
/** Once for each value, such as `={{ $json.visit }}`. */
const onceFor = (onceForEach: unknown): INodeParameters =>
	({ calledBefore: 'onceForEach', onceForEach }) as INodeParameters;

describe('Live and dry runs', () => {
	const dry = (more: INodeParameters = {}): INodeParameters => ({ ...skip(more), mode: 'dryRun' });
	const limited: INodeParameters = { calledBefore: 'callAgain', rules: { maxCallsPerDay: 50 } };
	const test: INodeParameters = { mode: 'test', testNumber: '+447400123456' };
	const rows = contacts(3);

	const DRY_RUN_FIRST = /^Make a dry run in this workflow first/;
	/** Why: either nobody is remembered here yet, or the setting is another one. */
	const NEW = /A copy does not know whom the original called, and would call them again/;
	const CHANGED = /People Called Before, Once for Each or Hours Between Calls was changed/;
	const between = (hours: number): INodeParameters => ({
		calledBefore: 'callAgain',
		rules: { hoursBetweenCalls: hours },
	});

	beforeEach(() => {
		store.isOpen = false;
	});

	/** Live calls nobody, for the want of a dry run, and says why. Started by hand, it leaves nothing. */
	const refuses = async (
		parameters: INodeParameters,
		more: Partial<RunRequest> = {},
		why = NEW,
	): Promise<void> => {
		const [dialed, { size }] = [bench.dialed.length, store];
		const run = await bench.run(parameters, rows, { ...more, onError: 'continueRegularOutput' });
		expect(statuses(run.json)).toEqual(all(3, 'refused'));
		for (const { reason } of run.json) {
			expect(reason).toMatch(DRY_RUN_FIRST);
			expect(reason).toMatch(why);
		}
		expect(bench.dialed).toHaveLength(dialed);
		if (more.mode === undefined) expect(store.size).toBe(size);
	};
	const calls = async (parameters: INodeParameters, more: object = {}): Promise<void> => {
		expect(await bench.statuses(parameters, rows, more)).toEqual(all(3, 'initiated'));
	};

	describe('G8 Live needs a dry run first', () => {
		it.each([
			['Bulk Call', skip()],
			['Place Call', place({ calledBefore: 'skip' })],
			['Once for Each', skip(onceFor('reminder'))],
			['Call Again with a limit', skip(limited)],
		])('G8 %s calls nobody until there was one, and says so first', async (_, parameters) => {
			for (let run = 0; run < 2; run++) {
				const stopped = await bench.run(parameters, rows);
				const remedy = /Nobody is remembered here yet\..* Set Mode to Dry Run, execute/;
				says(stopped, DRY_RUN_FIRST, [NEW, remedy]);
				expect(shown(stopped).description).not.toMatch(CHANGED);
			}
			await refuses(parameters);
			expect(bench.sandbox.requests).toEqual([]);
			await bench.run({ ...parameters, mode: 'dryRun' }, rows);
			await calls(parameters);
		});

		it('G8 a copied workflow calls nobody until it had its own', async () => {
			const copy = { workflowId: 'copy' };
			await bench.run(dry(), rows);
			await calls(skip());
			says(await bench.run(skip(), rows, copy), DRY_RUN_FIRST, NEW);
			await refuses(skip(), copy);
			await bench.run(dry(), rows, copy);
			await calls(skip(), copy);
		});

		const closed = { callingHours: 'custom', callingWindows: closedWindow() };

		it.each<[string, INodeParameters]>([
			['a dry run', dry()],
			['a test', skip(test)],
			['a dry run outside Calling Hours', dry(closed)],
			['a dry run beyond Max Calls', dry({ rules: { maxCalls: 0 } })],
		])('G8 %s by hand leaves the mark', async (_, parameters) => {
			await bench.run(parameters, rows);
			await calls(skip());
		});

		it.each<[string, INodeParameters, object]>([
			['that a schedule starts', dry(), { mode: 'trigger' }],
			['that a webhook starts', dry(), { mode: 'webhook' }],
			['of a sub-workflow', dry(), { mode: 'integrated' }],
			['of n8n’s Evaluations', skip(), { mode: 'evaluation' }],
			['in the form of a test that a schedule starts', skip(test), { mode: 'trigger' }],
			['in which no row can be sent', dry({ destination: 'nobody' }), {}],
			['with a setting that cannot be used', dry({ options: { timeout: 'soon' } }), {}],
			['with Call Again, which remembers nobody', dry({ calledBefore: 'callAgain' }), {}],
		])('G8 a dry run %s leaves none', async (_, parameters, more) => {
			await bench.run(parameters, rows, { onError: 'continueRegularOutput', ...more });
			expect(store.size).toBe(0);
			await refuses(skip());
		});

		it.each<[string, INodeParameters, INodeParameters]>([
			['Skip, then Once for Each', {}, onceFor('reminder')],
			['two words of Once for Each', onceFor('reminder'), onceFor('survey')],
			['columns of it', onceFor('={{ $json.name }}'), onceFor('={{ $json.amount }}')],
			['Once for Each, then Call Again with a limit', onceFor('reminder'), limited],
			['Call Again with a limit, then Skip', limited, {}],
			['other hours between calls', between(3), between(4)],
		])('G8 each setting needs one of its own, and keeps it: %s', async (_, first, second) => {
			await bench.run(dry(first), rows);
			await refuses(skip(second));
			await calls(skip(first));
			const stopped = await bench.run(skip(second), rows);
			says(stopped, DRY_RUN_FIRST, [CHANGED, /Set Mode to Dry Run, execute/]);
			expect(shown(stopped).description).not.toMatch(NEW);
			await refuses(skip(second), {}, CHANGED);
			// Also in the run that a schedule starts, and again.
			for (let run = 0; run < 2; run++) await refuses(skip(second), { mode: 'trigger' }, CHANGED);
			// The first one only says that a published version waits for it.
			for (let run = 0; run < 2; run++) await bench.run(dry(second), rows);
			for (const each of [second, first])
				expect(statuses((await bench.run(skip(each), rows, goesOn)).json)).not.toContain('refused');
		});

		it('G8 Forget Everybody takes the marks out, Forget People leaves them', async () => {
			await bench.run(dry(), rows);
			await calls(skip());
			await bench.run(forget(phones(3).join()));
			await calls(skip());
			const { json } = await bench.run(everybody);
			expect(json).toEqual([
				// Three people, the mark, and that somebody was called.
				{ forgotten: 5, reason: expect.stringMatching(/dry run or a test again/) as string },
			]);
			expect(store.size).toBe(0);
			await refuses(skip());
		});

		it('G4 G8 Retry goes on after a dry run', async () => {
			const stopped = await bench.run(skip(), rows);
			await bench.run(dry(), rows);
			await calls(skip(), { retryOf: stopped });
		});
	});

	describe('G8 a dry run does not set off a published version that is Live', () => {
		const tick: Partial<RunRequest> = { mode: 'trigger' };
		const WAITS =
			/^<b>A published version of this workflow, or a workflow that calls it, is Live and waits for this dry run\. Unpublish it, then execute again: .* 3 people<\/b>$/;
		const CAREFUL =
			/^<b>Careful: if a published version .* is still Live, its next run calls 3 people<\/b>$/;
		const COUNTS = /^(?:<b>)?3 of 3 rows would be called/;
		/** What a dry run by hand says: its first line, and what to do, which is its last. */
		const looks = async (parameters: INodeParameters, first: RegExp): Promise<void> => {
			const run = await bench.run(parameters, rows);
			expect(run.json).toHaveLength(3);
			const lines = linesOf(run);
			expect(lines[0]).toMatch(first);
			if (first === WAITS) {
				expect(lines[1]).toMatch(COUNTS);
				expect(lines.at(-1)).toMatch(/unpublish .*then execute again/);
			} else expect(lines.at(-1)).toMatch(/Mode to Live and execute again/);
		};
		const onceCalled = async (more: Partial<RunRequest>): Promise<void> => {
			expect(await bench.statuses(skip(), rows, more)).toEqual(all(3, 'already_called'));
			expect([...bench.dialed].sort()).toEqual(phones(3));
		};

		it.each<[string, Partial<RunRequest>]>([
			['a schedule', tick],
			['a webhook', { mode: 'webhook' }],
			['a workflow that calls this one', { mode: 'integrated' }],
			['a schedule, with Stop Workflow', { ...tick, onError: 'stopWorkflow' }],
			['a schedule, in another node', { ...tick, nodeId: 'other' }],
		])('G8 refused before the dry run and after it, it calls once: %s', async (_, more) => {
			// Refused twice, as once.
			for (let run = 0; run < 2; run++)
				expect((await bench.run(skip(), rows, more)).called).toEqual([]);
			await looks(dry(), WAITS);
			await refuses(skip(), more);
			await looks(dry(), CAREFUL);
			// Nothing but the mark is left.
			expect(store.size).toBe(1);
			await calls(skip(), more);
			await onceCalled(more);
		});

		it('G8 unpublished after the dry run, Live calls nobody until the second one, which counts and warns of nothing', async () => {
			for (let run = 0; run < 2; run++) await refuses(skip(), tick);
			await looks(dry(), WAITS);
			await refuses(skip());
			await looks(dry(), COUNTS);
			expect(store.size).toBe(1);
			await calls(skip());
			await onceCalled(tick);
		});

		it.each<[string, Partial<RunRequest>]>([
			['by hand', {}],
			['in another workflow', { ...tick, workflowId: 'original' }],
		])('G8 a Live run that was refused %s keeps no dry run from counting', async (_, more) => {
			await refuses(skip(), more);
			const stopped = await bench.run(skip(), rows);
			says(await bench.run(skip(), rows, { retryOf: stopped }), DRY_RUN_FIRST);
			await looks(dry(), COUNTS);
			await calls(skip());
		});

		it('G8 a test does not count either, and rings', async () => {
			await refuses(skip(), tick);
			await looks(skip(test), WAITS);
			expect(bench.dialed).toEqual(['+447400123456']);
			await refuses(skip(), tick);
			await looks(skip(test), CAREFUL);
			await calls(skip(), tick);
		});

		it.each<[string, INodeParameters, Partial<RunRequest>]>([
			['that a schedule starts', dry(), tick],
			['in which no row can be sent', dry({ destination: 'nobody' }), {}],
			['of another setting', dry(onceFor('reminder')), {}],
		])('G8 a dry run %s does not take the next one’s warning', async (_, parameters, more) => {
			await refuses(skip(), tick);
			await bench.run(parameters, rows, more);
			await refuses(skip());
			await looks(dry(), WAITS);
		});

		it.each<[string, INodeParameters, INodeParameters]>([
			['Skip, not Once for Each', {}, onceFor('reminder')],
			['a limit, not Skip', limited, {}],
		])('G8 each setting is waited for by itself: %s', async (_, waiting, other) => {
			await refuses(skip(waiting), tick);
			await looks(dry(other), COUNTS);
			await calls(skip(other));
			await refuses(skip(waiting), tick, CHANGED);
			const look = await bench.run(dry(waiting), rows);
			expect(linesOf(look)[0]).toMatch(/^<b>A published version .*Unpublish it/);
			await refuses(skip(waiting), {}, CHANGED);
		});

		it('G8 each setting warns by itself, where one workflow has two that are Live', async () => {
			const other = onceFor('reminder');
			for (const setting of [{}, other]) await refuses(skip(setting), tick);
			for (const setting of [{}, other]) await looks(dry(setting), WAITS);
			for (const setting of [{}, other]) await refuses(skip(setting), tick);
			await looks(dry(), CAREFUL);
			await refuses(skip(other), tick);
			await calls(skip(), tick);
		});

		it('G8 Forget Everybody removes what it waits for; the next refusal leaves it anew', async () => {
			for (let run = 0; run < 2; run++) await refuses(skip(), tick);
			expect((await bench.run(everybody)).json).toMatchObject([{ forgotten: 1 }]);
			await looks(dry(), COUNTS);
			await bench.run(everybody);
			await refuses(skip(), tick);
			await looks(dry(), WAITS);
			// What the dry run has said is forgotten as well.
			await bench.run(everybody);
			await refuses(skip(), tick);
			await looks(dry(), WAITS);
		});

		it('G8 a schedule needs none of its own; once a dry run has counted, it is asked for no more', async () => {
			await bench.run(dry(), rows);
			await calls(skip(), { ...tick, nodeId: 'other' });
			await bench.run(dry(), contacts(4));
			const four = await bench.statuses(skip(), contacts(4), tick);
			expect(four).toEqual([...all(3, 'already_called'), 'initiated']);
		});

		it('G8 it says how many people the next run calls, and not how many rows there are', async () => {
			await refuses(skip(), tick);
			const only = dry({ rules: { doNotCall: `${phone(0)}, ${phone(1)}` } });
			const look = await bench.run(only, [...rows, ...rows]);
			expect(linesOf(look)[0]).toMatch(/^<b>A published version .*next run calls 1 person<\/b>$/);
		});
	});

	/** One minute a week, not today. */
	function closedWindow(): INodeParameters {
		const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
		const day = days[(new Date().getUTCDay() + 3) % 7]!;
		return { window: [{ days: [day], from: '12:00', to: '12:01' }] };
	}

	describe('G8 a dry run consults the memory', () => {
		it('G8 it says who was called before, and leaves nobody in it', async () => {
			await bench.run(dry(), rows);
			await bench.run(skip(), rows.slice(0, 1));
			const { size } = store;
			const look = await bench.run(dry(), rows);
			expect(statuses(look.json)).toEqual(['already_called', 'dry_run', 'dry_run']);
			expect(look.json[0]!.reason).toMatch(/^Called before$/);
			const lines = linesOf(look);
			expect(lines.join('\n')).toMatch(/^Held back\. .*Called before: 1 row\b/m);
			const [hint, ...more] = lines.filter((line) => /Forget People.*Once for Each/.test(line));
			expect(hint).toMatch(/^Called before includes calls that may have been placed/);
			expect(more).toEqual([]);
			expect(store.size).toBe(size);
			const calledNow = await bench.statuses(skip(), rows);
			expect(calledNow).toEqual(['already_called', 'initiated', 'initiated']);
		});

		it('G8 until any setting has called somebody, it says that this workflow remembers nobody yet', async () => {
			const NOBODY = /^This workflow remembers nobody yet\. .*copy/;
			const lines = async (more: INodeParameters = {}): Promise<string[]> =>
				linesOf(await bench.run(dry(more), contacts(4)));
			// Neither dry runs nor a Live run that is refused call anybody.
			for (let run = 0; run < 2; run++) expect((await lines())[1]).toMatch(NOBODY);
			await refuses(skip(onceFor('reminder')));
			expect((await lines(onceFor('reminder')))[1]).toMatch(NOBODY);
			await calls(skip(onceFor('reminder')));
			for (const setting of [{}, onceFor('reminder'), onceFor('survey')])
				expect((await lines(setting)).filter((line) => NOBODY.test(line))).toEqual([]);
		});

		it.each<[string, INodeParameters, INodeParameters]>([
			['Skip, then Once for Each', {}, onceFor('reminder')],
			['Once for Each, then another word', onceFor('reminder'), onceFor('survey')],
			['Once for Each, then Call Again with a limit', onceFor('reminder'), limited],
		])('G8 it says who would be called again: %s', async (_, first, second) => {
			await bench.run(dry(first), rows);
			await bench.run(skip(first), rows.slice(1));
			const look = await bench.run(dry(second), rows);
			expect(statuses(look.json)).toEqual(all(3, 'dry_run'));
			const careful = /^<b>Careful: 2 .*called before .*rows 2 and 3.*again<\/b>$/;
			expect(linesOf(look)[1]).toMatch(careful);
			const again = 'Would be called again';
			expect(look.json.map(({ reason }) => reason)).toEqual(['Would be called', again, again]);
			expect(linesOf(look).at(-1)).toMatch(/also those who were called before.*Mode to Live/);
		});

		it('G8 dry runs during live ones neither keep anybody from being called nor call anybody twice', async () => {
			await bench.run(dry(), rows);
			const list = contacts(60);
			const runs = Array.from({ length: 30 }, (_, n) => (n % 5 === 0 ? skip() : dry()));
			await Promise.all(runs.map(async (parameters) => await bench.run(parameters, list)));
			expect([...bench.dialed].sort()).toEqual(phones(60));
		});

		it('G8 if the list is too long, it says that it did not ask', async () => {
			await bench.run(dry(), rows);
			await bench.run(skip(), rows);
			jest.spyOn(store, 'getProcessedDataCount').mockResolvedValue(5_000_000);
			const { writes } = store;
			const look = await bench.run(dry(), rows);
			jest.restoreAllMocks();
			expect(statuses(look.json)).toEqual(all(3, 'dry_run'));
			expect(linesOf(look)[1]).toMatch(/^<b>Careful: .*not checked.*<\/b>$/);
			// The mark and its notes in, the notes out again.
			expect(store.writes).toBe(writes + 2);
		});

		it('G8 if the database does not answer, it says so, and Live needs another one', async () => {
			store.outOfOrder = 'database is locked';
			const look = await bench.run(dry(), rows);
			expect(statuses(look.json)).toEqual(all(3, 'dry_run'));
			expect(linesOf(look)[1]).toMatch(/^<b>Careful: .*not checked .*database is locked.*<\/b>$/);
			delete store.outOfOrder;
			await refuses(skip());
		});
	});
});

describe('People Called Before', () => {
	const each = (onceForEach: unknown): INodeParameters => skip(onceFor(onceForEach));

	describe('G8 Skip calls each person once, over all runs', () => {
		it('G8 executing twice calls only the people who are new', async () => {
			expect(await bench.statuses(skip(), contacts(12))).toEqual(all(12, 'initiated'));
			const second = await bench.run(skip(), contacts(14));
			expect(statuses(second.json)).toEqual([...all(12, 'already_called'), ...all(2, 'initiated')]);
			expect(second.json[0]).toEqual({
				...{ status: 'already_called', called: 'no', reason: 'Called before' },
				held_by: 'called_before',
				...{ destination: phone(0), called_at: null, success: false },
				...{ consent_id: null, call_sid: null, batch_id: null },
			});
			expect(pairs(second.items)).toEqual(contacts(14).map((_, n) => n));
			expect(bench.dialed).toEqual(phones(14));
		});

		it('G8 Place Call and another node of the workflow know them, too', async () => {
			const parameters = place({ calledBefore: 'skip' });
			await bench.run(parameters, contacts(3));
			expect(await bench.statuses(parameters, contacts(3))).toEqual(all(3, 'already_called'));
			expect(await bench.statuses(skip(), contacts(3), { nodeId: 'copy' })).toEqual(
				all(3, 'already_called'),
			);
			expect(bench.dialed).toHaveLength(3);
		});

		it('G8 every row of somebody who was called before is left out', async () => {
			await bench.run(skip(), contacts(1));
			const { json } = await bench.run(skip(), [...contacts(2), ...contacts(2)]);
			expect(json.map(({ status, called }) => [status, called])).toEqual([
				['already_called', 'no'],
				['initiated', 'yes'],
				['already_called', 'no'],
				['duplicate', 'other_row'],
			]);
			expect(bench.dialed).toEqual([phone(0), phone(1)]);
		});

		it('G8 a second round of a loop calls nobody whom the first one called', async () => {
			const { rounds } = await bench.run(skip(), contacts(3), { rounds: 2 });
			expect(rounds.map(statuses)).toEqual([all(3, 'initiated'), all(3, 'already_called')]);
		});

		it('G8 25 executions at once with one number make one call', async () => {
			const once = Array<() => Promise<unknown[]>>(25);
			const runs = once.fill(async () => await bench.statuses(skip(), contacts(1)));
			const outcomes = (await Promise.all(runs.map(async (run) => await run()))).flat();
			expect(outcomes.sort()).toEqual([...all(24, 'already_called'), 'initiated']);
			expect(bench.dialed).toEqual([phone(0)]);
		});

		it('G8 whoever certainly was not called is called by the next run', async () => {
			bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', times: 1 });
			const locked = { status: 'locked', error: 'Locked', times: 1 } as const;
			bench.sandbox.destinationOutcome.set(phone(1), locked);
			await bench.run(skip(), contacts(3));
			expect(store.size).toBe(0);
			const [FREE, CALLED] = ['initiated', 'already_called'];
			expect(await bench.statuses(skip(), contacts(3))).toEqual([FREE, 'locked', FREE]);
			expect(await bench.statuses(skip(), contacts(3))).toEqual([CALLED, FREE, CALLED]);
		});

		it('G8 whoever may have been called is not called again', async () => {
			bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1 });
			expect(await bench.statuses(skip(), contacts(3), goesOn)).toEqual(all(3, 'unknown'));
			expect(await bench.statuses(skip(), contacts(3))).toEqual(all(3, 'already_called'));
			expect(bench.dialed).toHaveLength(3);
		});

		it('G10 stopped between two requests: the next run calls the rest', async () => {
			const { run, stop } = bench.start(skip(), contacts(30));
			bench.meanwhile = () => {
				if (bench.dialed.length === 20) stop();
			};
			await run;
			bench.meanwhile = undefined;
			await bench.run(skip(), contacts(30));
			expect(bench.dialed).toEqual(phones(30));
		});

		it('G10 stopped while people are being entered: the next run calls them', async () => {
			const { run, stop } = bench.start(skip(), contacts(5));
			store.written = stop;
			await run;
			delete store.written;
			expect([bench.sandbox.requests.length, store.size]).toEqual([0, 0]);
			expect(await bench.statuses(skip(), contacts(5))).toEqual(all(5, 'initiated'));
		});

		it.each(['live', 'dryRun'])(
			'G10 stopped (%s) while another process has the list: nobody is called',
			async (mode) => {
				store.table.rows.set('workflow Calls', ['other']);
				const { run, stop } = bench.start(skip({ mode }), contacts(5));
				const begun = bench.time.now();
				await until(() => bench.time.now() > begun + 1_000);
				stop();
				await run;
				expect([bench.sandbox.requests.length, store.size]).toEqual([0, 0]);
			},
		);

		it('G4 G8 Retry keeps what was placed and calls the rest', async () => {
			bench.sandbox.settings.dailyLimit = 10;
			const stopped = await bench.run(skip(), contacts(15));
			says(
				stopped,
				/^The daily call limit.*: rows 11 to 15 were not called\. 10 of 15 rows called, 5 not called/,
				/press Retry/,
			);
			delete bench.sandbox.settings.dailyLimit;
			const retried = await bench.run(skip(), contacts(15), { retryOf: stopped });
			expect(statuses(retried.json)).toEqual(all(15, 'initiated'));
			expect(bench.dialed).toEqual(phones(15));
		});
	});

	it('G8 Call Again without limits calls everybody in each run and never asks the database', async () => {
		store.outOfOrder = 'database is locked';
		for (let run = 0; run < 2; run++)
			expect(await bench.statuses(bulk(), contacts(3))).toEqual(all(3, 'initiated'));
		expect(bench.dialed).toHaveLength(6);
	});

	describe('G8 Once for Each', () => {
		const visits = each('={{ $json.visit }}');
		const visit = (value: unknown, n = 0): IDataObject =>
			({ phone: phone(n), visit: value }) as IDataObject;

		it.each<[string, unknown, unknown, 'initiated' | 'already_called']>([
			['another appointment', 'A-1', 'A-2', 'initiated'],
			['the same one with capitals and blanks', 'A-1', ' a-1\n', 'already_called'],
		])('G8 %s: %j, then %j', async (_, first, second, status) => {
			await bench.run(visits, [visit(first)]);
			const { json } = await bench.run(visits, [visit(second)]);
			const reason = status === 'initiated' ? 'Call started' : 'Called before for "a-1"';
			expect(json[0]).toMatchObject({ status, reason });
		});

		it('G8 a fixed word is a purpose of its own', async () => {
			const purposes = [each('reminder'), each('Survey'), skip()];
			for (const parameters of purposes.slice(0, 2))
				expect(await bench.statuses(parameters, contacts(2))).toEqual(all(2, 'initiated'));
			for (const parameters of purposes)
				expect(await bench.statuses(parameters, contacts(2))).toEqual(all(2, 'already_called'));
		});

		it.each<[string, string, unknown]>([
			['as the date of a database', '={{ $json.visit }}', new Date('2026-12-01T08:30:00Z')],
			['within a text', '=Visit {{ $json.visit }}', new Date('2026-12-01T08:30:00Z')],
		])('G8 a date is one value, however it is handed over: %s', async (_, onceForEach, value) => {
			const isText = onceForEach.startsWith('=Visit');
			const utc = `${isText ? 'visit ' : ''}2026-12-01T08:30:00.000Z`;
			await bench.run(visits, [visit(utc)]);
			expect(await bench.statuses(each(onceForEach), [visit(value)])).toEqual(['already_called']);
		});

		it('G4 G8 a date is one value after a Retry, too, which has it as text', async () => {
			const rows = [0, 1].map((n) => visit(new Date(Date.UTC(2026, 11, 1, 9, 30, n, 250)), n));
			bench.sandbox.fault({ kind: 'dailyLimit', times: 1 });
			const stopped = await bench.run(visits, rows);
			expect(await bench.statuses(visits, [], { retryOf: stopped })).toEqual(all(2, 'initiated'));
			expect(await bench.statuses(visits, rows)).toEqual(all(2, 'already_called'));
		});

		it('G8 for each month: again in the next one, without another dry run', async () => {
			store.isOpen = false;
			const monthly = each("={{ $now.toFormat('yyyy-MM') }}");
			await bench.run({ ...monthly, mode: 'dryRun' }, contacts(1));
			expect(await bench.statuses(monthly, contacts(1))).toEqual(['initiated']);
			expect(await bench.statuses(monthly, contacts(1))).toEqual(['already_called']);
			bench.time.laterDays(32);
			expect(await bench.statuses(monthly, contacts(1))).toEqual(['initiated']);
		});

		it.each<[string, unknown, RegExp]>([
			['an empty column', '={{ $json.empty }}', /Once for Each is empty/],
			['nothing', '', /Once for Each is empty/],
			['the time of the run', '={{ $now }}', /^Once for Each changes/],
			['a random value', '={{ $json.name + Math.random() }}', /^Once for Each changes/],
			['the ID of the execution', '={{ $execution.id }}', /^Once for Each .*execution/],
			['the row number', '={{ $json.row_number }}', /^Once for Each .*row number/],
		])('G8 %s calls nobody, live or dry: %s', async (_, onceForEach, message) => {
			const rows = contacts(2).map((row, n) => ({ ...row, row_number: n + 2, empty: '' }));
			const parameters = each(onceForEach);
			expect(shown(await bench.run(parameters, rows)).message).toMatch(message);
			const dry = await bench.run({ ...parameters, mode: 'dryRun' }, rows, goesOn);
			expect(statuses(dry.json)).not.toContain('dry_run');
			expect([bench.dialed, store.size]).toEqual([[], 0]);
		});

		it('a column that equals the row number in some rows is a value', async () => {
			const rows = [2, 7].map((id, n) => ({ phone: phone(n), id, row_number: n + 2 }));
			expect(await bench.statuses(each('={{ $json.id }}'), rows)).toEqual(all(2, 'initiated'));
		});

		it('G2 G8 a person with two values gets one call per run; the next run makes the other one', async () => {
			const rows = [visit('A-1'), visit('A-2')];
			const { json } = await bench.run(visits, rows);
			expect(statuses(json)).toEqual(['initiated', 'duplicate']);
			expect(json[1]!.reason).toMatch(/row 1.*next run/i);
			expect(await bench.statuses(visits, rows)).toEqual(['already_called', 'initiated']);
			expect(bench.dialed).toEqual([phone(0), phone(0)]);
		});
	});

	describe('G8 when n8n’s database rejects a write', () => {
		const WHY = /call history in n8n’s database is not available \(database is locked\)/;

		it.each([
			['Bulk Call', skip()],
			['Place Call', place({ calledBefore: 'skip' })],
			['Once for Each', each('reminder')],
			['Call Again with a limit', bulk({ rules: { maxCallsPerDay: 5 } })],
		])('G8 from the start, %s calls nobody and says so', async (_, parameters) => {
			store.outOfOrder = 'database is locked';
			const run = await bench.run(parameters, contacts(3));
			says(run, WHY, /save it and execute again.*Nobody was called/);
			expect(bench.sandbox.requests).toEqual([]);
		});

		const rows = contacts(50);
		const breaksOff = async (how: () => void): Promise<Finished> => {
			store.written = () => {
				if (bench.dialed.length >= 20) how();
			};
			const stopped = await bench.run(skip(), rows);
			delete store.written;
			delete store.outOfOrder;
			expect(shown(stopped).message).toMatch(WHY);
			return stopped;
		};

		it.each(['Retry', 'a new run'])(
			'G8 in the middle: %s calls who was not entered',
			async (how) => {
				const stopped = await breaksOff(() => (store.outOfOrder = 'database is locked'));
				const called = bench.dialed.length;
				expect(called).toBeLessThan(50);
				await bench.run(skip(), rows, how === 'Retry' ? { retryOf: stopped } : {});
				expect(bench.sandbox.doubleDialed()).toEqual([]);
				expect(bench.dialed.slice(-10)).toEqual(rows.slice(-10).map((row) => row.phone));
			},
		);

		it('G8 people whose entry was made all the same stay entered until they are forgotten', async () => {
			await breaksOff(() => {
				throw new Error('database is locked');
			});
			const called = [...bench.dialed];
			await bench.run(skip(), rows);
			const left = rows.map((row) => row.phone).filter((each) => !bench.dialed.includes(each));
			expect(left.length).toBeGreaterThan(0);
			await bench.run(forget(left.join()));
			await bench.run(skip(), rows);
			expect(called.length).toBeGreaterThan(0);
			expect([...bench.dialed].sort()).toEqual(rows.map((row) => row.phone));
		});
	});
});

describe('forgetting', () => {
	const visits = skip(onceFor('={{ $json.visit }}'));
	const visit = (n: number, value: unknown): IDataObject =>
		({ phone: phone(n), visit: value }) as IDataObject;
	const CALLED = 'initiated';
	const BEFORE = 'already_called';
	const EVERY_LIMIT: INodeParameters = {
		callsPerPerson: { limit: ['day', 'week', 'month', 'ever'].map((per) => ({ calls: 1, per })) },
		hoursBetweenCalls: 24,
	};

	describe('G8 Forget People', () => {
		it.each<[string, string]>([
			['a text with all separators', `+1 (555) 010-1000; ${phone(1)},\n001 555 010 1002`],
			['a list', `={{ ["+1 555 010 1000", " ${phone(1)} ", "${phone(2)}", null, ""] }}`],
		])('G8 the people of %s are called again, and nobody else', async (_, people) => {
			await bench.run(skip(), contacts(4));
			expect((await bench.run(forget(people))).json).toEqual([
				{ forgotten: 3, reason: expect.stringMatching(/^3 entries removed$/) as string },
			]);
			expect(await bench.statuses(skip(), contacts(4))).toEqual([CALLED, CALLED, CALLED, BEFORE]);
		});

		it('G5 the people of all items make one item, paired with all of them', async () => {
			await bench.run(skip(), contacts(3));
			const two = [...contacts(2), { phone: '' }];
			const { items } = await bench.run(forget('={{ $json.phone }}'), two);
			expect(items.map(({ json }) => json.forgotten)).toEqual([2]);
			expect(pairs(items)).toEqual([[0, 1, 2]]);
			expect(await bench.statuses(skip(), contacts(3))).toEqual([CALLED, CALLED, BEFORE]);
		});

		it.each<[string, unknown, string]>([
			['as the cell holds it', 'A-1', '={{ $json.phone }}, {{ $json.visit }}'],
			['a date', new Date('2026-12-01T08:30:00Z'), `${phone(0)}, 2026-12-01T09:30:00+01:00`],
		])('G8 takes the value of Once for Each: %s', async (_, value, people) => {
			const rows = [visit(0, value), visit(1, value)];
			await bench.run(visits, rows);
			const { json } = await bench.run(forget(people), [rows[0]!]);
			// The value of this person, and the person.
			expect(json[0]!.forgotten).toBe(2);
			expect(await bench.statuses(visits, rows)).toEqual([CALLED, BEFORE]);
		});

		it('G8 the number alone leaves the values of Once for Each, and says what to add', async () => {
			await bench.run(visits, [visit(0, 'A-1')]);
			await bench.run(forget(phone(0)));
			const { json } = await bench.run(forget(phone(0)));
			expect(json).toEqual([
				{ forgotten: 0, reason: expect.stringMatching(/none of them.*Once for Each/) as string },
			]);
			expect(await bench.statuses(visits, [visit(0, 'A-1')])).toEqual([BEFORE]);
		});

		it.each<[string, string, RegExp]>([
			['nothing', '', /People to Forget .*no phone number/],
			['a value without a number', 'A-1', /People to Forget .*no phone number/],
			['a number without +', '0171 1234567', /"0171 1234567".*no phone number/],
			['an object', `={{ ["${phone(0)}", { phone: 1 }] }}`, /^Row 1: .*neither a phone number/],
			['true', '={{ true }}', /^Row 1: "true" is neither a phone number/],
		])('forgets nobody if it is given %s', async (_, people, message) => {
			await bench.run(skip(), contacts(1));
			const run = await bench.run(forget(people));
			expect(shown(run).message).toMatch(message);
			expect(shown(run).description).toContain('Nobody was forgotten.');
			expect(await bench.statuses(skip(), contacts(1))).toEqual([BEFORE]);
		});

		it('G8 takes out the calls that limits count', async () => {
			const limited = skip({ calledBefore: 'callAgain', rules: EVERY_LIMIT });
			await bench.run(limited, contacts(2));
			const { json } = await bench.run(forget(phone(0)));
			// The person, one for each limit, and five parts of the hours between calls; the other one and “24 hours” stay.
			expect([json[0]!.forgotten, store.size]).toEqual([10, 11]);
			expect(await bench.statuses(limited, contacts(2))).toEqual([CALLED, 'limit_reached']);
		});

		it('G8 says so if the database does not answer, and can be executed again', async () => {
			await bench.run(skip(), contacts(1));
			store.outOfOrder = 'database is locked';
			const run = await bench.run(forget(phone(0)));
			says(run, /call history .*not available \(database is locked\)/, /Execute again/);
			delete store.outOfOrder;
			await bench.run(forget(phone(0)));
			expect(await bench.statuses(skip(), contacts(1))).toEqual([CALLED]);
		});
	});

	describe('G8 people who are forgotten during a run', () => {
		it('G8 a run calls nobody any more once everybody was forgotten', async () => {
			store.isOpen = false;
			const parameters = skip({ options: { parallelRequests: 1 } });
			await bench.run({ ...parameters, mode: 'dryRun' }, contacts(30));
			bench.meanwhile = async () => {
				bench.meanwhile = undefined;
				await bench.run(everybody);
			};
			const { json } = await bench.run(parameters, contacts(30), goesOn);
			expect(json.at(-1)).toMatchObject({
				status: 'refused',
				reason: expect.stringMatching(/emptied during this run/) as string,
			});
			expect([bench.dialed.length, store.size]).toEqual([10, 0]);
		});

		it('G8 a call that is cancelled before it is dialed frees its person', async () => {
			bench.sandbox.settings.dialAfterMs = 3_600_000;
			const parameters = skip({ rules: { ...EVERY_LIMIT, maxCallsPerDay: 1 } });
			const waits = { waitUntil: 'finished', waitTimeout: 0.5, options: { pollInterval: 1 } };
			const ends: Promise<Finished> = bench.run(bulk({ ...parameters, ...waits }), contacts(1));
			await bench.time.standStill();
			await bench.run(cancel({ callRecordId: String(bench.sandbox.journal[0]!.consentId) }));
			bench.time.goOn();
			expect((await ends).json[0]!.record_status).toBe('cancelled');
			expect(await bench.statuses(parameters, contacts(1))).toEqual([CALLED]);
		});
	});
});
