import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Finished } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { assignments, bulk, contacts, pairs, phone, place, text } from './helpers/workflows';

/** The section "Output" of the contract, point by point. */
const bench = workbench();

const withInput = { options: { includeInputFields: true } };
const linesOf = ({ hints }: Finished): string[] =>
	hints.flatMap((each) => each.message.split('<br>'));
const operations = [
	['Bulk Call', bulk],
	['Place Call', place],
] as const;

describe.each(operations)('the output of %s', (name, operation) => {
	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'G5 is one output with one item per row, in input order, paired, with its files (%s)',
		async (onError) => {
			const rows: IDataObject[] = [...contacts(3), { phone: 'none' }, { phone: phone(0) }];
			const files = rows.map((_, n) => ({ letter: { data: '', mimeType: 'a/b', id: `${n}` } }));
			const run = await bench.run(operation(withInput), rows, { files, onError });
			expect(run.data.resultData.runData.Calls![0]!.data!.main![0]).toHaveLength(5);
			expect(run.errorItems).toEqual([]);
			expect(pairs(run.items)).toEqual([0, 1, 2, 3, 4]);
			expect(run.items.map(({ binary }) => binary)).toEqual(files);
			expect(run.json.map(({ called }) => text(called)).join(' ')).toBe('yes yes yes no other_row');
		},
	);

	it('has the columns of the contract, in its order, whatever became of the row', async () => {
		const row = { phone: '+1 415 555 2671', name: 'Ada' };
		const columns = async (more: INodeParameters) =>
			Object.keys((await bench.run(operation({ ...withInput, ...more }), [row])).json[0]!).join(
				' ',
			);
		const own = 'reason destination phone name original_destination';
		const bulkIds = 'success consent_id call_sid batch_id';
		const ids = name === 'Bulk Call' ? bulkIds : 'success call_id batch_id consent_id';
		const followed = 'conversation_id auto_call_error record_status updated_at settled';
		const planned = 'request agent_number caller_number prompt_variables';
		expect(await columns({})).toBe(`status called ${own} ${ids}`);
		expect(await columns({ waitUntil: 'finished' })).toBe(
			`status called reached ${own} ${ids} ${followed}`,
		);
		expect(await columns({ mode: 'dryRun' })).toBe(`status called ${own} ${planned}`);
	});
});

it('has a reason in every row: 160 characters at most, 500 where it quotes the API', async () => {
	bench.sandbox.destinationOutcome.set(phone(1), { status: 'failed', error: 'x'.repeat(2_000) });
	const bad = ['', '0171 2345678', 'n/a', '1.5E+10', '#N/A', '{{ $json.phone }}', 'x'.repeat(300)];
	const rows = [...contacts(3), ...contacts(1), ...bad.map((number) => ({ phone: number }))];
	const waits = { waitUntil: 'finished', options: { maxRetryWait: 0 } };
	for (const more of [{ mode: 'dryRun' }, {}, waits]) {
		const { json } = await bench.run(bulk(more), rows, { onError: 'continueRegularOutput' });
		for (const { reason, status } of json) {
			expect(reason).toMatch(/^\S.*\S$/);
			expect(text(reason).length).toBeLessThanOrEqual(status === 'failed' ? 500 : 160);
		}
	}
});

it.each<[string, unknown[], string[]]>([
	['numbers', [2, 5], ['row 2', 'row 5']],
	['numbers as text', ['2', '5'], ['row 2', 'row 5']],
	['a number twice', [2, 2], ['row 1', 'row 2']],
	['a number missing', [7, undefined], ['row 1', 'row 2']],
])('rows are numbered as the sheet numbers them: %s', async (_, numbers, [first, second]) => {
	const sheet = numbers.map((row_number) => ({ phone: phone(0), row_number })) as IDataObject[];
	const { json } = await bench.run(bulk(), sheet);
	expect(json[1]!.reason).toMatch(new RegExp(`as ${first!}\\b`));
	const bad = sheet.map((row, n) => (n === 0 ? row : { ...row, phone: 'x' }));
	const run = await bench.run(bulk({ mode: 'dryRun' }), bad);
	expect(linesOf(run)).toContain(`To correct: ${second!}`);
});

it('G2 a duplicate is called other_row: with identical details it carries the call, with different ones it does not', async () => {
	const parameters = bulk({
		promptVariables: assignments({ name: '={{ $json.name }}' }),
		waitUntil: 'finished',
	});
	const ada = { phone: phone(0), name: 'Ada' };
	const { json } = await bench.run(parameters, [ada, ada, { ...ada, name: 'Bob' }]);
	expect(bench.dialed).toEqual([phone(0)]);
	const duplicate = { status: 'duplicate', called: 'other_row' };
	expect(json[1]).toEqual({ ...json[0], ...duplicate, reason: 'Same number as row 1' });
	expect(json[2]).toMatchObject({ ...duplicate, consent_id: null, reached: null, batch_id: null });
	expect(json[2]!.reason).toMatch(/row 1.*details/);
});

describe('the summary above the table', () => {
	it('says when people outside calling hours can be called, in a dry run and in Live', async () => {
		const inTwoDays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][
			(new Date().getUTCDay() + 2) % 7
		]!;
		const window = [{ days: [inTwoDays], from: '09:00', to: '20:00' }];
		const later = { callingHours: 'custom', callingWindows: { window } };
		for (const mode of ['dryRun', 'live']) {
			const { json, hints } = await bench.run(bulk({ ...later, mode }), [
				{ phone: '+491712345678' },
			]);
			expect(json[0]!.status).toBe('outside_hours');
			expect(hints[0]!.message).toMatch(/(?:^|>)1 more from \w+ 09:00 \(Calling Hours\)/);
		}
	});

	it('of a run counts rows, and says that the following nodes get all unless all were called', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'locked', error: 'Locked' });
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 1, times: 1 });
		const parameters = bulk({ waitUntil: 'finished', options: { parallelRequests: 1 } });
		const rows = [...contacts(12), { phone: 'x' }, { phone: phone(0) }];
		const run = await bench.run(parameters, rows, { onError: 'continueRegularOutput' });
		const [counts, reached, ...more] = linesOf(run);
		expect(counts).toMatch(/^9 of 14 rows called, 2 possibly called, 3 not called \(.*1 locked/);
		expect(reached).toMatch(/^9 reached, 0 not reached/);
		expect(more).toEqual(['To correct: row 13', expect.stringMatching(/all rows.*called/)]);
		expect(linesOf(await bench.run(bulk(), contacts(1)))).toEqual(['1 of 1 row called']);
	});

	it('of a test is that of a dry run, with the call', async () => {
		const test = bulk({ mode: 'test', testNumber: '+14155552671' });
		const lines = linesOf(await bench.run(test, contacts(3)));
		expect(bench.dialed).toEqual(['+14155552671']);
		expect(lines[0]).toMatch(/^3 of 3 rows would be called\b.*phone was called/);
		expect(lines.slice(1, -1)).toEqual(
			linesOf(await bench.run(bulk({ mode: 'dryRun' }), contacts(3))).slice(1, -1),
		);
	});
});

describe('Include Input Fields', () => {
	const bench = workbench();

	/** The option as it is where nobody touched it. */
	const asIs = (parameters: INodeParameters): INodeParameters => {
		const { includeInputFields: _off, ...options } = parameters.options as INodeParameters;
		return { ...parameters, options };
	};

	const operations = [
		['Bulk Call', bulk],
		['Place Call', place],
	] as const;

	describe.each(operations)('%s with Include Input Fields', (_, operation) => {
		it('left as it is, every row has the fields and files of its input, and the input is not changed', async () => {
			const rows: IDataObject[] = [...contacts(2), { phone: 'x', name: 'Bob', status: 'kept' }];
			const before = structuredClone(rows);
			const files = rows.map((__, n) => ({
				letter: { data: 'aGk=', mimeType: 'a/b', id: `${n}` },
			}));
			const { items, json } = await bench.run(asIs(operation()), rows, { files });
			expect(json).toMatchObject([rows[0]!, rows[1]!, { name: 'Bob', input_status: 'kept' }]);
			expect(items.map(({ binary }) => binary)).toEqual(files);
			expect(rows).toEqual(before);
		});

		it('switched off, rows have none of them', async () => {
			const rows = [...contacts(1), { phone: 'x', name: 'Bob' }];
			const files = rows.map(() => ({ letter: { data: 'aGk=', mimeType: 'a/b' } }));
			const { items, json } = await bench.run(operation(), rows, { files });
			for (const row of json) expect(Object.keys(row).join(' ')).not.toMatch(/phone|name|amount/);
			expect(items.map(({ binary }) => binary)).toEqual([undefined, undefined]);
		});

		it('columns with names of ours come out as input_…, and none is lost', async () => {
			const row: IDataObject = {
				phone: phone(0),
				status: 'customer',
				input_status: 'old',
				called: 'no',
				reached: 'no',
				original_destination: 'Milan',
				agent_number: 'Bob',
				conversation_id: 5,
				Status: 'kept',
			};
			const { json } = await bench.run(asIs(operation()), [row]);
			expect(json[0]).toMatchObject({
				status: 'initiated',
				called: 'yes',
				destination: phone(0),
				success: true,
				input_status: 'customer',
				input_input_status: 'old',
				input_called: 'no',
				input_reached: 'no',
				input_original_destination: 'Milan',
				input_agent_number: 'Bob',
				input_conversation_id: 5,
				Status: 'kept',
			});
			for (const name of ['original_destination', 'agent_number', 'reached'])
				expect(json[0]).not.toHaveProperty(name);
		});

		it.each(['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'] as const)(
			'G5 an input item with an error is invalid, and comes out once as input_error (%s)',
			async (onError) => {
				const rows = [
					{ phone: phone(0), error: 'Wrong size' },
					{ phone: phone(1), error: '' },
					{ phone: phone(2), error: null },
				];
				const { json, errorItems } = await bench.run(asIs(operation()), rows, {
					onError,
					retry: { tries: 3, waitMs: 0 },
				});
				expect(errorItems).toEqual([]);
				expect(json.map(({ status, input_error: error }) => [status, error])).toEqual([
					['invalid', 'Wrong size'],
					['initiated', ''],
					['initiated', null],
				]);
				expect(json[0]!.reason).toMatch(/Wrong size.*Filter/);
				for (const row of json) expect(row).not.toHaveProperty('error');
				expect(bench.dialed.sort()).toEqual([phone(1), phone(2)]);
			},
		);

		it('a duplicate has its own fields', async () => {
			const again = { phone: phone(1), name: 'Again' };
			const { json } = await bench.run(asIs(operation()), [...contacts(2), again]);
			expect(json[2]).toMatchObject({ status: 'duplicate', name: 'Again' });
			expect(json[2]).not.toHaveProperty('amount');
		});
	});

	it('Place Call: IDs of an earlier call in the row do not stand for this one', async () => {
		bench.sandbox.settings.singleCallIds = false;
		const earlier = { consent_id: 7, batch_id: 'b', call_sid: 'CA7' };
		const { json } = await bench.run(asIs(place()), [{ phone: phone(1), ...earlier }]);
		expect(json[0]).toMatchObject({ called: 'yes', input_consent_id: 7, input_call_sid: 'CA7' });
		for (const name of Object.keys(earlier)) expect(json[0]).not.toHaveProperty(name);
	});
});
