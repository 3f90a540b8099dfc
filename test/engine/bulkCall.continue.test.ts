import { workbench } from './workbench';
import { bulk, contacts, pairs, phone, SIP_AGENT, shown, UNKNOWN_AGENT, text } from './workflows';

const bench = workbench();

const withBad = (count: number, ...bad: number[]) => contacts(count).map((row, n) => (bad.includes(n) ? { ...row, phone: `0555-${n}` } : row));

describe('On Error = Stop', () => {
	it('G1 nothing is dialed when one row is not valid', async () => {
		const finished = await bench.run(bulk(), withBad(25, 24));
		const { message, description } = shown(finished);
		expect(message).toMatch(/^Row 25: the destination "0555-24" is not a phone number in international format$/);
		expect(description).toMatch(/leading \+ and the country code/);
		expect(description).toMatch(/Nothing was called/);
		expect(finished.items).toEqual([]);
		expect(bench.sandbox.requests).toEqual([]);
		expect(bench.dialed).toEqual([]);
	});

	it('G1 the message also names the other rows that need a change', async () => {
		const { description } = shown(await bench.run(bulk(), withBad(25, 3, 7, 20)));
		expect(description).toMatch(/Rows 8 and 21 also need a change/);
	});

	it.each<[string, Parameters<typeof bulk>[0], RegExp]>([
		['an empty agent', { agentNumber: '={{ "" }}', callerNumber: '+15550009999' }, /^Row 1: the agent number is empty/],
		['an agent that is a word', { agentNumber: 'Reminder' }, /^Row 1: the agent number "Reminder"/],
		[
			'a SIP agent from a column without a caller',
			{ agentNumber: `={{ "${SIP_AGENT}" }}`, callerNumber: '={{ "" }}' },
			/^Row 1:.*needs a caller number/,
		],
		['a caller without its plus', { agentNumber: SIP_AGENT, callerNumber: '15550009999' }, /^Row 1: the caller number "15550009999"/],
	])('G1 nothing is dialed with %s', async (_, parameters, message) => {
		expect(shown(await bench.run(bulk(parameters), contacts(2))).message).toMatch(message);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('G5 the message says how many of how many rows were placed, and that retrying calls only the rest', async () => {
		bench.sandbox.fault({ kind: 'dailyLimit', after: 2 });
		const { message } = shown(await bench.run(bulk({ options: { parallelRequests: 1 } }), contacts(35)));
		expect(message).toMatch(/^20 of 35 rows were placed; rows 21 to 30 were not called/);
		expect(message).toMatch(/Retry calls only the rest/);
		expect(bench.sandbox.requests).toHaveLength(3);
	});
});

describe('On Error = Continue', () => {
	it('G1 only the rows that are not valid are not called', async () => {
		const rows = withBad(12, 0, 5);
		const { items, errorItems } = await bench.run(bulk(), rows, { onError: 'continueRegularOutput' });
		expect(errorItems).toEqual([]);
		expect(items).toHaveLength(12);
		expect(pairs(items)).toEqual(rows.map((_, n) => n));
		for (const [n, { json }] of items.entries()) {
			if ([0, 5].includes(n)) expect(text(json.error)).toMatch(new RegExp(`^Row ${n + 1}: the destination "0555-${n}" .*leading \\+`));
			else expect(json.destination).toBe(phone(n));
		}
		expect(bench.dialed).toEqual(rows.map((row) => row.phone).filter((_, n) => ![0, 5].includes(n)));
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('the totals count rows that are not valid, too', async () => {
		const { hints } = await bench.run(bulk(), withBad(5, 1), { onError: 'continueRegularOutput' });
		expect(hints.map(({ message }) => message)).toEqual(['5 rows: 4 initiated, 1 not called']);
	});

	it('an expression that cannot be resolved concerns its own row only', async () => {
		const destination = '={{ $json.phone === "none" ? $("Nowhere").item.json.phone : $json.phone }}';
		const rows = [{ phone: phone(0) }, { phone: 'none' }, { phone: phone(2) }];
		const { items } = await bench.run(bulk({ destination }), rows, { onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => json.status ?? json.error)).toEqual([
			'initiated',
			expect.stringMatching(/^Row 2: an expression in this node could not be resolved/),
			'initiated',
		]);
		expect(bench.dialed).toEqual([phone(0), phone(2)]);
	});
});

describe('On Error = Continue (using error output)', () => {
	it('G5 every row comes out once, called ones in order on one output, the others on the other', async () => {
		const rows = withBad(12, 0, 5, 11);
		const { items, errorItems } = await bench.run(bulk(), rows, { onError: 'continueErrorOutput' });
		expect(pairs(items)).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 10]);
		expect(pairs(errorItems)).toEqual([0, 5, 11]);
		for (const { json } of errorItems) expect(text(json.error)).toMatch(/^Row \d+: the destination "0555-/);
		expect(bench.dialed).toHaveLength(9);
	});

	it('G5 refused rows go to the error output, unknown and undialed ones do not', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'failed', error: 'Busy' });
		bench.sandbox.fault({ kind: 'dailyLimit', after: 1, times: 1 });
		bench.sandbox.fault({ kind: 'resetAfter', after: 2, times: 1 });
		const rows = contacts(30).map((row, n) => ({ ...row, agent: ['+15550001000', '15550003000', '+15550002000'][Math.floor(n / 10)] }));
		const parameters = bulk({
			agentNumber: '={{ $json.agent }}',
			callerNumber: '+15550009999',
			variablesFrom: 'json',
			promptVariablesJson: '{"name": "", "amount": ""}',
			options: { parallelRequests: 1 },
		});
		const { items, errorItems } = await bench.run(parameters, rows, { onError: 'continueErrorOutput' });
		expect(pairs(errorItems)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
		for (const { json } of errorItems) expect(text(json.error)).toMatch(/^Row \d+ \(\+\d+\) was not called: the daily call limit/);
		expect(items.map(({ json }) => json.status)).toEqual([
			'initiated',
			'failed',
			...Array<string>(8).fill('initiated'),
			...Array<string>(10).fill('unknown'),
		]);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.sandbox.requests).toHaveLength(3);
	});

	it('when no row can be called, all are on the error output', async () => {
		const { items, errorItems } = await bench.run(bulk({ agentNumber: UNKNOWN_AGENT }), contacts(3), { onError: 'continueErrorOutput' });
		expect(items).toEqual([]);
		expect(pairs(errorItems)).toEqual([0, 1, 2]);
	});

	it('a duplicate of a refused row shares its refusal', async () => {
		const { errorItems } = await bench.run(bulk({ agentNumber: UNKNOWN_AGENT }), [...contacts(1), ...contacts(1)], {
			onError: 'continueErrorOutput',
		});
		expect(errorItems.map(({ json }) => json.error)).toEqual([
			expect.stringMatching(/^Row 1 .*was not called/),
			expect.stringMatching(/^Row 2 .*was not called/),
		]);
	});
});
