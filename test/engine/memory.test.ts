import type { INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { bulk, contacts, phone, place, shown } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const live = (options: INodeParameters = {}, more: INodeParameters = {}): INodeParameters =>
	bulk({ calledBefore: 'skip', options, ...more });
const dry = (options: INodeParameters = {}, more: INodeParameters = {}): INodeParameters => ({
	...live(options, more),
	mode: 'dryRun',
});
const statuses = ({ items }: Finished): unknown[] => items.map(({ json }) => json.status);
const hint = ({ hints }: Finished): string => hints.map(({ message }) => message).join();
const rows = contacts(3);
const byPhone = { callOnceKey: '=spring-{{ $json.phone }}' };

const NEW = 'No dry run or test was made in this workflow yet';
const CHANGED = 'The option Remember People By was changed, and no dry run or test was made since';
const LOST = 'n8n’s memory of the people called was emptied or trimmed by something else';

beforeEach(() => {
	store.isOpen = false;
});

const refuses = async (
	parameters: INodeParameters,
	why: string,
	more: object = {},
): Promise<void> => {
	const dialed = bench.dialed.length;
	const run = await bench.run(parameters, rows, { ...more, onError: 'continueRegularOutput' });
	expect(
		run.json.map(({ status, reason }) => [status, (reason as string).slice(0, why.length)]),
	).toEqual(rows.map(() => ['refused', why]));
	expect(bench.dialed).toHaveLength(dialed);
};

describe('G8 Live needs a dry run first', () => {
	it.each([
		['Bulk Call', live()],
		['Place Call', place({ calledBefore: 'skip' })],
	])(
		'G8 %s calls nobody in a new workflow, and says what to do; one dry run later it goes on',
		async (_, parameters) => {
			const stopped = await bench.run(parameters, rows);
			expect(shown(stopped).message).toMatch(
				/^3 rows: 0 called, 3 not called \(.*\)\. Rows? .* not called: no dry run or test was made in this workflow yet/,
			);
			expect(shown(stopped).description).toBe(
				'Set Mode to Dry Run, execute the node, and look whom it would call. Then set Mode to Live again. A copy of a workflow does not know whom the original has called; a memory that was emptied knows nobody. Nobody was called, so executing again is safe.',
			);
			await refuses(parameters, NEW);
			expect([bench.sandbox.requests, store.writes]).toEqual([[], 0]);
			await bench.run({ ...parameters, mode: 'dryRun' }, rows);
			expect(statuses(await bench.run(parameters, rows))).toEqual(Array(3).fill('initiated'));
		},
	);

	it('G8 a workflow that was copied calls nobody until somebody has looked', async () => {
		await bench.run(dry(), rows);
		await bench.run(live(), rows);
		const copy = { workflowId: 'copy' };
		await refuses(live(), NEW, copy);
		const look = await bench.run(dry(), rows, copy);
		expect(statuses(look)).toEqual(Array(3).fill('dry_run'));
		expect(statuses(await bench.run(live(), rows, copy))).toEqual(Array(3).fill('initiated'));
	});

	describe('a dry run and a live node in one workflow', () => {
		const both = {
			nodeBefore: dry({ includeInputFields: true }),
			onError: 'continueRegularOutput',
		} as const;
		const why = ({ json }: Finished): unknown[] => [
			...new Set(json.map(({ reason }) => (reason as string).split('. ')[0])),
		];
		const UNSEEN =
			'The dry run that Live needs was made in this same execution, so nobody can have looked at it yet';

		it('G8 a copy calls nobody in its first execution; somebody has looked when it is executed by hand once more', async () => {
			const first = await bench.run(live(), rows, both);
			expect([statuses(first), why(first)]).toEqual([Array(3).fill('refused'), [UNSEEN]]);
			expect(statuses(await bench.run(live(), rows, { ...both, executionId: 'next' }))).toEqual(
				Array(3).fill('initiated'),
			);
		});

		it('G8 a copy that starts by itself calls nobody, however often, until somebody executes it by hand', async () => {
			const scheduled = (executionId: string) => ({
				...both,
				mode: 'trigger' as const,
				executionId,
			});
			expect(why(await bench.run(live(), rows, scheduled('1')))).toEqual([UNSEEN]);
			expect(why(await bench.run(live(), rows, scheduled('2')))).toEqual([UNSEEN]);
			expect(bench.dialed).toEqual([]);
			await bench.run(live(), rows, { ...both, executionId: '3' });
			expect(statuses(await bench.run(live(), rows, scheduled('4')))).toEqual(
				Array(3).fill('initiated'),
			);
		});

		it('G8 also a copy in which nobody was to be called in its first execution', async () => {
			const scheduled = (executionId: string) => ({
				...both,
				mode: 'trigger' as const,
				executionId,
			});
			const closed = await bench.run(live({ optedOut: 'yes' }), rows, scheduled('1'));
			expect(statuses(closed)).toEqual(Array(3).fill('do_not_call'));
			expect(why(await bench.run(live(), rows, scheduled('2')))).toEqual([UNSEEN]);
			expect(bench.dialed).toEqual([]);
		});

		it('G8 also a copy whose first execution came to its dry run only, or is still between the two', async () => {
			await bench.run(dry(), rows, { mode: 'trigger', executionId: '1' });
			expect(
				why(await bench.run(live(), rows, { ...both, mode: 'webhook', executionId: '2' })),
			).toEqual([UNSEEN]);
			expect(bench.dialed).toEqual([]);
		});

		it('G8 also an execution by hand, of which the first dry run is one, while another one is between the two', async () => {
			await bench.run(dry(), rows, { mode: 'trigger', executionId: '1' });
			expect(why(await bench.run(live(), rows, { ...both, executionId: '2' }))).toEqual([UNSEEN]);
			expect(statuses(await bench.run(live(), rows, { ...both, executionId: '3' }))).toEqual(
				Array(3).fill('initiated'),
			);
		});

		it('G8 a dry run by hand counts, whatever starts by itself before and after it', async () => {
			await bench.run(dry(), rows, { mode: 'trigger', executionId: '1' });
			await bench.run(dry(), rows, { executionId: '2' });
			expect(
				statuses(await bench.run(live(), rows, { ...both, mode: 'trigger', executionId: '3' })),
			).toEqual(Array(3).fill('initiated'));
		});

		it('G8 a dry run by a schedule alone opens a live node that is executed later: the workflow itself is changed by hand', async () => {
			await bench.run(dry(), rows, { mode: 'trigger', executionId: '1' });
			expect(
				statuses(await bench.run(live(), rows, { mode: 'trigger', executionId: '2' })),
			).toEqual(Array(3).fill('initiated'));
		});

		it('G8 a dry run behind a live round of an execution that starts by itself opens nothing for the next one', async () => {
			const inTurns = rows
				.slice(0, 2)
				.map((row, n) => ({ ...row, mode: n === 0 ? 'live' : 'dryRun' }));
			const byRow: INodeParameters = { ...live(), mode: '={{ $json.mode }}' };
			const scheduled = { mode: 'trigger', onError: 'continueRegularOutput' } as const;
			const first = await bench.run(byRow, inTurns, {
				...scheduled,
				batchSize: 1,
				executionId: '1',
			});
			expect(first.rounds.map(([row]) => row!.status)).toEqual(['refused', 'dry_run']);
			expect(statuses(await bench.run(live(), rows, { ...scheduled, executionId: '2' }))).toEqual(
				Array(3).fill('refused'),
			);
			expect(bench.dialed).toEqual([]);
		});

		it('G8 a sub-workflow whose parent is executed by hand says where to look', async () => {
			const of = (executionId: string) => ({ ...both, mode: 'integrated' as const, executionId });
			await bench.run(live(), rows, of('1'));
			const again = await bench.run(live(), rows, of('2'));
			expect(again.json[0]!.reason).toContain('Then open this workflow and execute it by hand.');
			expect(bench.dialed).toEqual([]);
		});

		it.each<[string, INodeParameters, object]>([
			[
				'no credential, as after an import',
				live(),
				{ credentialProblem: 'Credential with ID "1" does not exist' },
			],
			['no country', live({}, { countries: [] }), {}],
			['only rows that cannot be sent', live({}, { destination: 'none' }), {}],
		])('G8 also a copy that had %s in its first execution', async (_, parameters, more) => {
			await bench.run(parameters, rows, { ...both, ...more, mode: 'trigger', executionId: '1' });
			expect(
				why(await bench.run(live(), rows, { ...both, mode: 'trigger', executionId: '2' })),
			).toEqual([UNSEEN]);
			expect(bench.dialed).toEqual([]);
		});

		it('G8 Retry goes on once somebody has seen the dry run', async () => {
			const stopped = await bench.run(live(), rows, { nodeBefore: both.nodeBefore });
			expect(shown(stopped).description).toContain(
				'Look at its rows, whom it would call. Then open this workflow and execute it by hand.',
			);
			const retried = await bench.run(live(), rows, {
				nodeBefore: both.nodeBefore,
				retryOf: stopped,
				executionId: 'next',
			});
			expect(statuses(retried)).toEqual(Array(3).fill('initiated'));
		});

		it('G8 also with another setting of Remember People By; where a mark was there before, it counts', async () => {
			await bench.run(dry(), rows);
			const keyed = await bench.run(live(byPhone), rows, {
				...both,
				nodeBefore: dry({ ...byPhone, includeInputFields: true }),
				executionId: '1',
			});
			expect(why(keyed)).toEqual([UNSEEN]);
			expect(
				statuses(await bench.run(live(), rows, { ...both, mode: 'trigger', executionId: '2' })),
			).toEqual(Array(3).fill('initiated'));
		});

		it('G8 in a loop, where a round of rows that are not live comes first', async () => {
			const mixed = [
				{ ...rows[0], go: 'dryRun' },
				...rows.slice(1).map((row) => ({ ...row, go: 'live' })),
			];
			const run = await bench.run(live({}, { mode: '={{ $json.go }}' }), mixed, {
				batchSize: 1,
				onError: 'continueRegularOutput',
			});
			expect(run.rounds.flat().map(({ status }) => status)).toEqual([
				'dry_run',
				'refused',
				'refused',
			]);
		});
	});

	it('G8 a node that was copied, or deleted and added again, knows whom the workflow has called', async () => {
		await bench.run(dry(), rows);
		await bench.run(live(), rows);
		expect(statuses(await bench.run(live(), rows, { nodeId: 'copy' }))).toEqual(
			Array(3).fill('already_called'),
		);
		expect(bench.dialed).toHaveLength(3);
	});

	it('G8 a node with a memory of its own needs a dry run of its own', async () => {
		await bench.run(dry(), rows);
		await bench.run(live(), rows);
		const alone = { memoryOf: 'node' };
		const other = { nodeId: 'reminder' };
		await refuses(live(alone), NEW, other);
		const look = await bench.run(dry(alone), rows, other);
		expect(hint(look)).toContain(
			' 3 of these people were called under another setting of Share Memory With, and would be called again.',
		);
		expect(statuses(await bench.run(live(alone), rows, other))).toEqual(Array(3).fill('initiated'));
		const { json } = await bench.run(live(alone), rows, other);
		expect(json[0]!.reason).toBe('An earlier run of this node called this number, or may have.');
		expect(hint(await bench.run(dry(alone), rows, other))).not.toContain('under another setting');
	});

	it('G8 another setting of Remember People By needs one, too, and it says how many would be called again', async () => {
		await bench.run(dry(), rows);
		await bench.run(live(), rows.slice(0, 2));
		await refuses(live(byPhone), CHANGED);
		const look = await bench.run(dry(byPhone), rows);
		expect(statuses(look)).toEqual(Array(3).fill('dry_run'));
		expect(hint(look)).toContain(
			' 2 of these people were called under another setting of Remember People By, and would be called again.',
		);
		await bench.run(live(byPhone), rows);
		expect(bench.dialed).toHaveLength(5);
		const back = await bench.run(dry(), rows);
		expect(statuses(back)).toEqual(['already_called', 'already_called', 'dry_run']);
		expect(hint(back)).toContain(
			' 1 of these people was called under another setting of Remember People By, and would be called again.',
		);
		expect(hint(await bench.run(dry(byPhone), rows))).not.toContain('under another setting');
	});

	it.each([1, 2, 5])(
		'G8 a dry run in which the database cannot be used %d times, from whichever use on, says so, and opens nothing',
		async (times) => {
			let usesBefore = 0;
			let said = '';
			do {
				store.clear();
				store.isOpen = false;
				bench.sandbox.reset();
				await bench.run(dry(), rows);
				await bench.run(live(), rows);
				Object.assign(store, { usesBefore, hiccups: times });
				said = hint(await bench.run(dry(byPhone), rows));
				Object.assign(store, { usesBefore: 0, hiccups: 0 });
				await bench.run(live(byPhone), rows);
				if (said.includes('Live needs another dry run')) expect(bench.dialed).toHaveLength(3);
				usesBefore++;
			} while (said.includes('could not be used'));
			expect(usesBefore).toBeGreaterThan(10);
			expect(bench.dialed).toHaveLength(6);
		},
	);

	it('G8 a setting that was stored as a number is one, too', async () => {
		await bench.run(dry(), rows);
		await bench.run(live(), rows);
		await refuses(live({ callOnceKey: 2026 }), CHANGED);
		expect(hint(await bench.run(dry({ callOnceKey: 2026 }), rows))).toContain(
			' 1 of these people was called under another setting',
		);
	});

	it('G8 back to a setting that it had before, it needs one again: it does not know whom the other one has called', async () => {
		await bench.run(dry(), rows);
		await bench.run(live(), rows.slice(0, 1));
		await bench.run(dry(byPhone), rows);
		await bench.run(live(byPhone), rows);
		await refuses(live(), CHANGED);
		// Another node keeps its setting, and needs none.
		expect(statuses(await bench.run(live(), rows, { nodeId: 'copy' }))).toEqual([
			'already_called',
			'initiated',
			'initiated',
		]);
		await bench.run(dry(), rows);
		expect(statuses(await bench.run(live(), rows))).toEqual(Array(3).fill('already_called'));
		await refuses(live(byPhone), CHANGED);
	});

	it('G8 back from a memory of its own, it needs one again', async () => {
		const alone = { memoryOf: 'node' };
		await bench.run(dry(), rows);
		await bench.run(live(), rows.slice(0, 1));
		await bench.run(dry(alone), rows);
		await bench.run(live(alone), rows);
		await refuses(
			live(),
			'The option Share Memory With was changed, and no dry run or test was made since',
		);
		await bench.run(dry(), rows);
		await refuses(live(alone), 'The option Share Memory With was changed');
		expect(statuses(await bench.run(live(), rows))).toEqual([
			'already_called',
			'initiated',
			'initiated',
		]);
	});

	it('G8 also when nobody shared the memory of the workflow yet as it was tried out with its own', async () => {
		const alone = { memoryOf: 'node' };
		await bench.run(dry(alone), rows);
		await bench.run(live(alone), rows);
		await bench.run(dry(), rows, { nodeId: 'other' });
		await refuses(
			live(),
			'The option Share Memory With was changed, and no dry run or test was made since',
		);
		expect(hint(await bench.run(dry(), rows))).toContain(
			' 3 of these people were called under another setting of Share Memory With',
		);
		expect(statuses(await bench.run(live(), rows))).toEqual(Array(3).fill('initiated'));
	});

	it('G8 also when Forget People emptied the memory of the workflow since', async () => {
		const alone = { memoryOf: 'node' };
		await bench.run(dry(), rows);
		await bench.run(dry(alone), rows);
		await bench.run(live(alone), rows);
		await bench.run({ resource: 'memory', operation: 'forget', forgetWhat: 'everybody' });
		await bench.run(dry(), rows, { nodeId: 'other' });
		await refuses(
			live(),
			'The option Share Memory With was changed, and no dry run or test was made since',
		);
	});

	it('a dry run leaves the mark although nobody may be called at this hour', async () => {
		const closed = {
			noCallDates: Array.from({ length: 400 }, (_, day) =>
				new Date(Date.now() + (day - 5) * 86_400_000).toISOString().slice(0, 10),
			).join(', '),
		};
		expect(
			statuses(await bench.run(dry({ ...closed, unknownTimeZone: 'workflow' }), rows)),
		).toEqual(Array(3).fill('outside_hours'));
		expect(statuses(await bench.run(live(), rows))).toEqual(Array(3).fill('initiated'));
	});

	it.each<[string, INodeParameters, object]>([
		['in which no row can be sent', dry({}, { destination: 'nobody' }), {}],
		['in which an option cannot be used', dry({ timeout: '={{ "soon" }}' }), {}],
		['of n8n’s Evaluations', dry(), { mode: 'evaluation' }],
		['in which a row is live', live({}, { mode: '={{ $itemIndex ? "dryRun" : "live" }}' }), {}],
		[
			'in which a row is live that cannot be sent',
			live(
				{},
				{
					mode: '={{ $itemIndex ? "dryRun" : "live" }}',
					destination: '={{ $itemIndex ? $json.phone : "nobody" }}',
				},
			),
			{},
		],
		['that remembers nobody', dry({}, { calledBefore: 'callAgain' }), {}],
	])('a dry run %s leaves none', async (_, parameters, more) => {
		await bench.run(parameters, rows, { ...more, onError: 'continueRegularOutput' });
		await refuses(live(), NEW);
	});

	it.each([
		['emptied', 0],
		['trimmed', 4],
	])(
		'G8 a memory that was %s by something else calls nobody, between runs or during one',
		async (_, newest) => {
			await bench.run(dry(), rows);
			await bench.run(live(), rows);
			store.trim('workflow', newest);
			await refuses(live(), NEW);
			await bench.run(dry(), rows);
			const many = contacts(40);
			let writes = 0;
			store.written = () => {
				if (++writes === 2) store.trim('workflow', newest);
			};
			const run = await bench.run(live({ parallelRequests: 1 }), many, {
				onError: 'continueRegularOutput',
			});
			store.written = undefined;
			expect(
				run.notCalled
					.filter(({ json }) => json.status === 'refused')
					.map(({ json }) => (json.reason as string).slice(0, LOST.length)),
			).toEqual(many.slice(10).map(() => LOST));
			await refuses(live(), NEW);
		},
	);

	it('G8 a mark that may have been left by asking for it is taken out again', async () => {
		await bench.run(dry(), rows);
		let broken = false;
		store.written = () => {
			if (broken) return;
			broken = true;
			throw new Error('database is locked');
		};
		await refuses(live(byPhone), 'n8n’s memory of the people called could not be used');
		store.written = undefined;
		await refuses(live(byPhone), NEW);
	});
});

describe('keys and numbers', () => {
	it.each([
		...[
			'{{ $json.phone }}#{{ $json.id }}',
			'{{ $json.id }} ({{ $json.phone }})',
			'{{ $json.name }}.{{ $json.phone }}',
			'<{{ $json.phone }}>',
		],
		...[
			'{{ $json.phone }}spring',
			'spring{{ $json.phone }}',
			'{{ $json.phone }} {{ $json.id }}',
			'{{ $json.name }}#{{ $json.id }}',
		],
	])(
		'G8 a blank at the edge of a cell in the key, tidied up later, makes no other person: %s',
		async (key) => {
			const parameters = bulk({
				calledBefore: 'skip',
				countries: ['DE'],
				defaultCountry: 'DE',
				options: { callOnceKey: `=${key}` },
			});
			const called: string[] = [];
			for (const [before, after] of [
				['+4930123456 ', '+4930123456'],
				['+4930123456', '\u00a0+4930123456'],
				['030 123456', ' 030 123456\n'],
			] as const) {
				store.clear();
				for (const [number, name] of [
					[before, 'Ann '],
					[after, 'Ann'],
				] as const)
					called.push(
						...(await bench.run(parameters, [{ phone: number, id: 17, name }])).called.map(
							() => number,
						),
					);
			}
			expect(called).toEqual(['+4930123456 ', '+4930123456', '030 123456']);
		},
	);

	it('G8 a key that is somebody else’s number keeps nobody from being called', async () => {
		const keyed = { callOnceKey: '={{ $json.key }}' };
		const list = [
			{ phone: phone(1), key: phone(2) },
			{ phone: phone(2), key: '' },
		];
		await bench.run(dry(keyed), list);
		expect(statuses(await bench.run(live(keyed), list))).toEqual(['initiated', 'initiated']);
	});
});

describe('a dry run knows the memory', () => {
	it('G8 whom an earlier run called comes out as already_called, and nothing stays behind', async () => {
		await bench.run(dry(), rows);
		await bench.run(live(), rows.slice(0, 1));
		const before = store.size;
		const look = await bench.run(dry(), rows);
		expect(statuses(look)).toEqual(['already_called', 'dry_run', 'dry_run']);
		expect(look.json[0]!.reason).toBe(
			'An earlier run of this workflow called this number, or may have. If this node has a purpose of its own, see its option Share Memory With.',
		);
		expect(store.size).toBe(before);
		expect(statuses(await bench.run(live(), rows))).toEqual([
			'already_called',
			'initiated',
			'initiated',
		]);
	});

	it('Max Calls counts those who would be called', async () => {
		await bench.run(dry(), rows);
		await bench.run(live(), rows.slice(0, 2));
		expect(statuses(await bench.run(dry({ maxCalls: 1 }), contacts(4)))).toEqual([
			'already_called',
			'already_called',
			'dry_run',
			'limit_reached',
		]);
	});

	it('G8 dry runs beside live ones keep nobody from being called, and have nobody called twice', async () => {
		await bench.run(dry(), rows);
		const list = contacts(60);
		const runs = Array.from(
			{ length: 30 },
			async (_, n) => await bench.run(n % 5 === 0 ? live() : dry(), list),
		);
		await Promise.all(runs);
		expect([...bench.dialed].sort()).toEqual(list.map((row) => row.phone));
	});

	it.each([['a database that cannot be used', 'database is locked']])(
		'with %s it says so, and Live needs another one',
		async (_, why) => {
			store.outOfOrder = why;
			const look = await bench.run(dry(), rows);
			expect(statuses(look)).toEqual(Array(3).fill('dry_run'));
			expect(hint(look)).toContain(
				` n8n’s memory of the people called could not be used (${why}), so nobody knows who was called before. Live needs another dry run.`,
			);
			store.outOfOrder = undefined;
			await refuses(live(), NEW);
		},
	);
});
