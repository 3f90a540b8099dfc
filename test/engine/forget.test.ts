import type { INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { bulk, cancel, contacts, pairs, phone, shown } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const live = (options: INodeParameters = {}, more: INodeParameters = {}): INodeParameters =>
	bulk({ calledBefore: 'skip', options, ...more });
const forget = (people: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'memory',
	operation: 'forget',
	people,
	...more,
});
const everybody: INodeParameters = {
	resource: 'memory',
	operation: 'forget',
	forgetWhat: 'everybody',
};
const statuses = async (
	parameters: INodeParameters,
	rows: Array<{ phone: string }>,
): Promise<unknown[]> => (await bench.run(parameters, rows)).json.map(({ status }) => status);
const CALLED = 'initiated';
const BEFORE = 'already_called';

const EVERY_LIMIT: INodeParameters = {
	callsPerPerson: { limit: ['day', 'week', 'month', 'ever'].map((per) => ({ calls: 1, per })) },
};

describe('G8 a person can be forgotten', () => {
	it('G8 is called again afterwards, and nobody else is', async () => {
		await bench.run(live(), contacts(3));
		const { items, json } = await bench.run(forget(phone(1)));
		expect(json).toEqual([{ forgotten: 1, numbers: 1, keys: 0, reason: null }]);
		expect(pairs(items)).toEqual([[0]]);
		expect(await statuses(live(), contacts(3))).toEqual([BEFORE, CALLED, BEFORE]);
	});

	it.each<[string, string]>([
		[
			'text with commas, semicolons and line breaks',
			`+1 (555) 010-1000; ${phone(1)},\n001 555 010 1002`,
		],
		['a list', `={{ ["+1 555 010 1000", " ${phone(1)} ", "${phone(2)}", null, ""] }}`],
	])('reads numbers as people write them, in %s', async (_, people) => {
		await bench.run(live(), contacts(4));
		expect((await bench.run(forget(people))).json).toEqual([
			{ forgotten: 3, numbers: 3, keys: 0, reason: null },
		]);
		expect(await statuses(live(), contacts(4))).toEqual([CALLED, CALLED, CALLED, BEFORE]);
	});

	it('takes two numbers in one entry for no number, and nobody is forgotten', async () => {
		const others = [{ phone: '+4930123456768' }];
		await bench.run(live(), others);
		expect((await bench.run(forget('+49 30 1234567/68'))).json).toEqual([
			expect.objectContaining({ forgotten: 0, numbers: 0, keys: 1 }),
		]);
		expect(await statuses(live(), others)).toEqual([BEFORE]);
	});

	it('takes the people of all items, and gives one item for all', async () => {
		await bench.run(live(), contacts(3));
		const { items } = await bench.run(forget('={{ $json.phone }}'), [
			...contacts(2),
			{ phone: '' },
		]);
		expect(items.map(({ json }) => json)).toEqual([
			{ forgotten: 2, numbers: 2, keys: 0, reason: null },
		]);
		expect(pairs(items)).toEqual([[0, 1, 2]]);
		expect(await statuses(live(), contacts(3))).toEqual([CALLED, CALLED, BEFORE]);
	});

	it('leaves no entry of a number: limits of all kinds, who was reached, every setting of Remember People By', async () => {
		const settings: INodeParameters[] = [
			{},
			{ callOnceKey: '={{ $json.phone }}' },
			{ callOnceKey: '={{ "0" + $json.phone.slice(1) }}' },
		];
		for (const setting of settings) await bench.run(live(setting), contacts(1));
		const limited = bulk({
			waitUntil: 'finished',
			options: { ...EVERY_LIMIT, stopWhenReached: true },
		});
		bench.sandbox.settings.dialAfterMs = 0;
		bench.sandbox.settings.finishAfterMs = 0;
		expect((await bench.run(limited, contacts(1))).json[0]!.reached).toBe(true);
		expect(bench.dialed).toEqual(Array(4).fill(phone(0)));
		const before = store.size;
		const { json } = await bench.run(forget(`${phone(0)}, 0${phone(0).slice(1)}`));
		expect([json[0]!.forgotten, store.size]).toEqual([before, 0]);
		for (const setting of settings)
			expect(await statuses(live(setting), contacts(1))).toEqual([CALLED]);
	});

	it('G11 somebody who was forgotten may be called as often as anybody', async () => {
		const limited = bulk({ options: EVERY_LIMIT });
		await bench.run(limited, contacts(2));
		expect(await statuses(limited, contacts(2))).toEqual(['limit_reached', 'limit_reached']);
		await bench.run(forget(phone(0)));
		expect(await statuses(limited, contacts(2))).toEqual([CALLED, 'limit_reached']);
	});

	it.each([
		'spring-{{ $json.phone }}',
		'spring-+1 (555) {{ $json.phone.slice(5) }}',
		'a/{{ $json.phone }}/7',
	])(
		'a key is given as Remember People By (%s) made it; the number alone does not free it',
		async (setting) => {
			const keyed = live({ callOnceKey: `=${setting}` });
			await bench.run(keyed, contacts(2));
			await bench.run(forget(phone(0)));
			expect(await statuses(keyed, contacts(2))).toEqual([BEFORE, BEFORE]);
			const { json } = await bench.run(forget(`=${setting}`), contacts(1));
			expect(json).toEqual([{ forgotten: 1, numbers: 0, keys: 1, reason: null }]);
			expect(await statuses(keyed, contacts(2))).toEqual([CALLED, BEFORE]);
		},
	);

	it.each([
		'spring-{{ $json.phone }}',
		'({{ $json.phone }})',
		'{{ $json.phone }}spring',
		'a#b - {{ $json.phone }} / 7',
	])('a key is given as the reason of its row quotes it: %s', async (setting) => {
		const keyed = live({ callOnceKey: `=${setting}` });
		await bench.run(keyed, contacts(2));
		const { json: before } = await bench.run(keyed, contacts(1));
		const [, quoted] = /\("(.*)" in Remember People By\)/.exec(before[0]!.reason as string)!;
		const { json } = await bench.run(forget(quoted!), contacts(1));
		expect(json[0]!.forgotten).toBeGreaterThan(0);
		expect(await statuses(keyed, contacts(2))).toEqual([CALLED, BEFORE]);
	});

	it('a node that remembers for itself alone has a memory of its own to forget', async () => {
		const alone = { memoryOf: 'node' };
		await bench.run(live(alone), contacts(1), { nodeId: 'reminder' });
		await bench.run(live(), contacts(1));
		await bench.run(forget(phone(0), { options: alone }), [{}], { nodeId: 'reminder' });
		expect(
			(await bench.run(live(alone), contacts(1), { nodeId: 'reminder' })).json[0]!.status,
		).toBe(CALLED);
		expect(await statuses(live(), contacts(1))).toEqual([BEFORE]);
	});

	it('says so when nobody was remembered, and when a number has no country code', async () => {
		await bench.run(live(), contacts(1));
		const { json } = await bench.run(forget(`${phone(7)}, 555 010 1000, customer-7`));
		expect(json).toEqual([
			{
				forgotten: 0,
				numbers: 1,
				keys: 2,
				reason:
					'1 entry that looks like a phone number was taken for a key: write numbers with + and their country code. This memory knows nothing of them, so nothing changed. Run it in the workflow that called them. With Remember People By, give the value that it made. If the node that called them has Share Memory With set to Nobody, set that node’s own operation to Forget People.',
			},
		]);
		expect(await statuses(live(), contacts(1))).toEqual([BEFORE]);
	});

	it.each<[string, string, string]>([
		['nothing', '', 'People to Forget is empty'],
		['a column that is not there', '={{ $json.fone }}', 'People to Forget is empty'],
		['an empty list', '={{ [] }}', 'People to Forget is empty'],
		[
			'a list of objects',
			`={{ ["${phone(0)}", { phone: "${phone(1)}" }] }}`,
			'Row 1: Entry 2 of People to Forget is a list or an object, neither a phone number nor a key',
		],
		[
			'true',
			'={{ true }}',
			'Row 1: Entry 1 of People to Forget is "true", neither a phone number nor a key',
		],
	])('forgets nobody when it is given %s', async (_, people, message) => {
		await bench.run(live(), contacts(2));
		const run = await bench.run(forget(people));
		expect(shown(run).message).toBe(message);
		expect(shown(run).description).toContain('Nobody was forgotten.');
		expect(await statuses(live(), contacts(2))).toEqual([BEFORE, BEFORE]);
	});

	it('a memory that cannot be used is told, and the rest is forgotten the next time', async () => {
		await bench.run(live(), contacts(1));
		store.outOfOrder = 'database is locked';
		expect(shown(await bench.run(forget(phone(0)))).message).toBe(
			'n8n’s memory of the people called could not be used (database is locked)',
		);
		delete store.outOfOrder;
		expect((await bench.run(forget(phone(0)))).json[0]).toMatchObject({ numbers: 1 });
		expect(await statuses(live(), contacts(1))).toEqual([CALLED]);
	});

	it('whom to forget is not for an AI model to say', async () => {
		await bench.run(live(), contacts(1));
		const run = await bench.run({
			...everybody,
			forgetWhat: '={{ $fromAI("what", "", "string", "everybody") }}',
		});
		expect(shown(run).message).toBe('Whom to Forget is left to the AI model');
		expect(await statuses(live(), contacts(1))).toEqual([BEFORE]);
	});

	it('G8 everybody: the memory is empty, and Live needs a dry run again', async () => {
		store.isOpen = false;
		await bench.run({ ...live(), mode: 'dryRun' }, contacts(3));
		await bench.run(live(), contacts(3));
		expect((await bench.run(everybody)).json).toEqual([
			{
				forgotten: 6,
				reason:
					'The memory is empty: its entries of people and its marks of dry runs are gone. Live needs a dry run or a test again.',
			},
		]);
		expect(store.size).toBe(0);
		expect(shown(await bench.run(live(), contacts(3))).message).toContain(
			'no dry run or test was made in this workflow yet',
		);
		await bench.run({ ...live(), mode: 'dryRun' }, contacts(3));
		expect(await statuses(live(), contacts(3))).toEqual(Array(3).fill(CALLED));
	});
});

describe('G8 a run that is under way when people are forgotten', () => {
	const calls = (): INodeParameters => live();
	const within = (): INodeParameters => bulk({ options: EVERY_LIMIT });
	const until = async (is: () => boolean): Promise<void> => {
		while (!is()) await new Promise((resolve) => setTimeout(resolve, 2));
	};
	const begin = (parameters: INodeParameters): Promise<Finished> =>
		bench.run(parameters, contacts(1), { onError: 'continueRegularOutput' });

	/** It has claimed its row, and waits until a call to the same number, of a run that remembers nobody, has been answered. */
	const waiting = async (
		parameters: INodeParameters,
	): Promise<{ run: Promise<Finished>; letGo: () => void }> => {
		let letGo: (() => void) | undefined;
		bench.meanwhile = () => {
			bench.meanwhile = undefined;
			return new Promise<void>((resolve) => (letGo = resolve));
		};
		const before = begin(bulk());
		await until(() => letGo !== undefined);
		const size = store.size;
		const run = begin(parameters);
		await until(() => store.size > size);
		return { run: before.then(() => run), letGo: letGo! };
	};

	it.each<[string, typeof calls, string]>([
		['the memory', calls, BEFORE],
		['a limit', within, 'limit_reached'],
	])(
		'G8 calls nobody whom another run has claimed since, and lets %s of that run stand',
		async (_, node, refused) => {
			const { run, letGo } = await waiting(node());
			await bench.run(forget(phone(0)));
			expect(store.size).toBe(0);
			const other = begin(node());
			await until(() => store.size > 0);
			letGo();
			expect((await other).json[0]!.status).toBe(CALLED);
			expect((await run).json[0]!.status).toBe(refused);
			expect(await statuses(node(), contacts(1))).toEqual([refused]);
			expect(bench.dialed).toEqual([phone(0), phone(0)]);
		},
	);

	it('G8 calls them if nobody else has, and remembers it', async () => {
		const { run, letGo } = await waiting(calls());
		await bench.run(forget(phone(0)));
		letGo();
		expect((await run).json[0]!.status).toBe(CALLED);
		expect(await statuses(calls(), contacts(1))).toEqual([BEFORE]);
	});

	it('G8 calls nobody any more when everybody was forgotten, be it after another dry run', async () => {
		store.isOpen = false;
		await bench.run({ ...calls(), mode: 'dryRun' }, contacts(1));
		const { run, letGo } = await waiting(calls());
		await bench.run(everybody);
		await bench.run({ ...calls(), mode: 'dryRun' }, contacts(1));
		letGo();
		expect((await run).json[0]).toMatchObject({
			status: 'refused',
			reason: expect.stringContaining(
				'n8n’s memory of the people called was emptied by Forget People during this run',
			) as string,
		});
		expect(bench.dialed).toEqual([phone(0)]);
		expect(await statuses(calls(), contacts(1))).toEqual([CALLED]);
	});

	it('G8 remembers whom it was calling at that moment, and forgets those before', async () => {
		bench.meanwhile = async () => {
			if (bench.dialed.length !== 2) return;
			bench.meanwhile = undefined;
			await bench.run(forget(`${phone(0)}, ${phone(1)}`));
		};
		await bench.run({ ...live({ parallelRequests: 1 }), operation: 'placeCall' }, contacts(3));
		expect(bench.dialed).toHaveLength(3);
		expect(await statuses(calls(), contacts(3))).toEqual([CALLED, BEFORE, BEFORE]);
	});

	it('G8 its call stays counted for all people, also where another run has claimed them since', async () => {
		const daily = live({ maxCallsPerDay: 1 });
		let other: Promise<Finished> | undefined;
		bench.meanwhile = async () => {
			bench.meanwhile = undefined;
			await bench.run(forget(phone(0)));
			const size = store.size;
			// It has no such limit, and waits for the call that is under way.
			other = begin(live());
			await until(() => store.size > size);
		};
		expect(await statuses(daily, contacts(1))).toEqual([CALLED]);
		expect((await other)?.json[0]!.status).toBe(CALLED);
		expect(await statuses(daily, [{ phone: phone(1) }])).toEqual(['limit_reached']);
	});

	it('G8 its call is given back all the same when the run learns that it was cancelled', async () => {
		bench.sandbox.settings.dialAfterMs = 3_600_000;
		bench.meanwhile = async () => {
			bench.meanwhile = undefined;
			await bench.run(forget(phone(0)));
		};
		const within = live({ ...EVERY_LIMIT, maxCallsPerDay: 1 });
		const ends = bench.run(
			{ ...within, waitUntil: 'finished', pollInterval: 1, waitTimeout: 0.5 },
			contacts(1),
		);
		await until(() => bench.sandbox.requests.some(({ method }) => method === 'GET'));
		await bench.run(cancel({ callRecordId: String(bench.sandbox.journal[0]!.consentId) }));
		expect((await ends).json[0]!.record_status).toBe('cancelled');
		expect(await statuses(within, contacts(1))).toEqual([CALLED]);
		expect(await statuses({ ...within, calledBefore: 'callAgain' }, contacts(1))).toEqual([
			'limit_reached',
		]);
	});

	it('G8 a call that turns out cancelled while its run waits frees nobody whom another run has called since', async () => {
		bench.sandbox.settings.dialAfterMs = 3_600_000;
		const ends = bench.run(
			{ ...calls(), waitUntil: 'finished', pollInterval: 1, waitTimeout: 0.5 },
			contacts(1),
		);
		await until(() => bench.sandbox.requests.some(({ method }) => method === 'GET'));
		await bench.run(cancel({ callRecordId: String(bench.sandbox.journal[0]!.consentId) }));
		await bench.run(forget(phone(0)));
		expect(await statuses(calls(), contacts(1))).toEqual([CALLED]);
		expect((await ends).json[0]!.record_status).toBe('cancelled');
		expect(await statuses(calls(), contacts(1))).toEqual([BEFORE]);
	});
});
