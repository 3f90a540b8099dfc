import { workbench } from './helpers/workbench';
import {
	AGENT,
	AGENT_WITH_PROMPT,
	AGENT_WITH_SIP_ID,
	assignments,
	bulk,
	CALLER,
	contacts,
	pairs,
	phone,
	SIP_AGENT,
} from './helpers/workflows';

const bench = workbench();

const COLUMNS = [
	'status',
	'called',
	'reason',
	'destination',
	'success',
	'consent_id',
	'call_sid',
	'batch_id',
];

it('G6 25 rows are called with exactly 3 requests and come out in order, each with the same columns', async () => {
	const { called: items, notCalled, errorItems, error } = await bench.run(bulk(), contacts(25));
	expect(error).toBeUndefined();
	expect(notCalled).toEqual([]);
	expect(errorItems).toEqual([]);
	expect(bench.sandbox.requests.map(({ method, path, dialed }) => [method, path, dialed])).toEqual([
		['POST', '/api/v1/outbound/calls/bulk', 10],
		['POST', '/api/v1/outbound/calls/bulk', 10],
		['POST', '/api/v1/outbound/calls/bulk', 5],
	]);
	for (const { json } of items) expect(Object.keys(json)).toEqual(COLUMNS);
	expect(items.map(({ json }) => json.destination)).toEqual(contacts(25).map((row) => row.phone));
	expect(pairs(items)).toEqual(Array.from({ length: 25 }, (_, n) => n));
});

it('a row of the output holds what the API says of the call', async () => {
	const { json } = await bench.run(bulk(), contacts(2));
	expect(json).toEqual(
		bench.sandbox.journal.map((dial) => ({
			status: 'initiated',
			called: 'yes',
			reason: null,
			destination: dial.phone,
			success: true,
			consent_id: dial.consentId,
			call_sid: dial.callSid,
			batch_id: dial.batchId,
		})),
	);
});

it('the totals above the table count people: who was called, who was not, and why, the most frequent reason first', async () => {
	bench.sandbox.destinationOutcome.set(phone(1), { status: 'locked', error: 'Locked' });
	const { hints } = await bench.run(bulk(), [
		...contacts(4),
		{ phone: phone(0) },
		{ phone: 'none' },
		{ phone: phone(0) },
	]);
	expect(hints.map(({ message }) => message)).toEqual([
		'7 rows: 3 people called (5 rows), 2 not called (1 locked, 1 invalid)',
	]);
});

it('a number that was not dialed is a row with the API’s reason on Not Called, not an item for the error output', async () => {
	for (const [n, status] of (
		['failed', 'skipped', 'locked', 'rate_limited', 'temporarily_unavailable'] as const
	).entries()) {
		bench.sandbox.destinationOutcome.set(phone(n), { status, error: `Because of ${status}` });
	}
	const { json, called, notCalled, errorItems, error } = await bench.run(bulk(), contacts(6), {
		onError: 'continueErrorOutput',
	});
	expect(error).toBeUndefined();
	expect(errorItems).toEqual([]);
	expect(
		notCalled.map(({ json: { success, status, reason } }) => [success, status, reason]),
	).toEqual([
		[false, 'failed', 'Because of failed'],
		[false, 'skipped', 'Because of skipped'],
		[false, 'locked', 'Because of locked'],
		[false, 'rate_limited', 'Because of rate_limited'],
		[false, 'temporarily_unavailable', 'Because of temporarily_unavailable'],
	]);
	expect(pairs(notCalled)).toEqual([0, 1, 2, 3, 4]);
	expect(called.map(({ json: { success, status, reason } }) => [success, status, reason])).toEqual([
		[true, 'initiated', null],
	]);
	expect(pairs(called)).toEqual([5]);
	for (const row of json) expect(row).not.toHaveProperty('error');
	expect(bench.dialed).toEqual([phone(5)]);
	expect(bench.sandbox.requests).toHaveLength(1);
});

it('G2 a number in several rows is called once, and later rows repeat its IDs', async () => {
	const { json, items } = await bench.run(bulk(), [
		...contacts(12),
		{ phone: phone(3) },
		{ phone: phone(3) },
	]);
	expect(bench.dialed.sort()).toEqual(
		contacts(12)
			.map((row) => row.phone)
			.sort(),
	);
	expect(bench.sandbox.doubleDialed()).toEqual([]);
	expect(bench.sandbox.requests).toHaveLength(2);
	for (const later of json.slice(12))
		expect(later).toEqual({ ...json[3], status: 'duplicate', reason: 'Same number as row 4' });
	expect(pairs(items).slice(12)).toEqual([12, 13]);
});

it('G2 a number is called once also where another row names another agent', async () => {
	const { json } = await bench.run(
		bulk({ agentNumber: '={{ $json.agent }}', callerNumber: CALLER }),
		[
			{ phone: phone(1), agent: AGENT },
			{ phone: phone(1), agent: AGENT_WITH_SIP_ID },
		],
	);
	expect(bench.dialed).toEqual([phone(1)]);
	expect(json.map(({ status, reason }) => [status, reason])).toEqual([
		['initiated', null],
		[
			'same_number',
			'Same number as row 1, with another agent. To call for each row, set Duplicates to Call Each Row',
		],
	]);
});

it('with Call Each Row a number is called for each row, in requests of its own', async () => {
	const items = [...contacts(2), { phone: phone(0) }, { phone: phone(0) }];
	const { json, hints } = await bench.run(bulk({ options: { duplicates: 'callEach' } }), items);
	expect(bench.dialed.filter((dialed) => dialed === phone(0))).toHaveLength(3);
	expect(json.map(({ status }) => status)).toEqual([
		'initiated',
		'initiated',
		'initiated',
		'initiated',
	]);
	expect(new Set(json.map((row) => row.consent_id)).size).toBe(4);
	expect(bench.sandbox.requests).toHaveLength(3);
	expect(hints.map(({ message }) => message)).toEqual([
		'4 rows: 2 people called (4 rows), 0 not called',
	]);
});

it('G6 two agents get requests of their own', async () => {
	const items = contacts(14).map((row, n) => ({
		...row,
		agent: n % 2 ? AGENT : AGENT_WITH_SIP_ID,
	}));
	const { json } = await bench.run(
		bulk({ agentNumber: '={{ $json.agent }}', callerNumber: CALLER }),
		items,
	);
	expect(
		bench
			.bodies<{ agent_number: string; destinations: unknown[] }>()
			.map((body) => [body.agent_number, body.destinations.length]),
	).toEqual([
		[AGENT_WITH_SIP_ID, 7],
		[AGENT, 7],
	]);
	expect(json.map(({ destination }) => destination)).toEqual(items.map((row) => row.phone));
});

it.each([SIP_AGENT, ` ${SIP_AGENT}`])(
	'a SIP agent calls with its caller number: %j',
	async (agentNumber) => {
		await bench.run(bulk({ agentNumber, callerNumber: CALLER }), contacts(2));
		expect(
			bench.sandbox.journal.map(({ agentNumber, callerNumber }) => [agentNumber, callerNumber]),
		).toEqual([
			[SIP_AGENT, CALLER],
			[SIP_AGENT, CALLER],
		]);
	},
);

it('agent and caller may come from the row', async () => {
	const parameters = bulk({ agentNumber: '={{ $json.agent }}', callerNumber: '={{ $json.from }}' });
	await bench.run(parameters, [
		{ phone: phone(1), agent: SIP_AGENT, from: CALLER },
		{ phone: phone(2), agent: AGENT, from: '' },
	]);
	expect(
		bench.sandbox.journal.map(({ agentNumber, callerNumber }) => [agentNumber, callerNumber]),
	).toEqual([
		[SIP_AGENT, CALLER],
		[AGENT, undefined],
	]);
});

it('an agent from a column needs no caller number where it is a phone number', async () => {
	const { json } = await bench.run(bulk({ agentNumber: '={{ $json.agent }}' }), [
		{ phone: phone(1), agent: AGENT },
	]);
	expect(json.map(({ status }) => status)).toEqual(['initiated']);
});

describe('the answer names its destinations in its own way', () => {
	it.each(['reorder', 'extra', 'repeated'] as const)(
		'%s: each row gets its own call',
		async (mode) => {
			bench.sandbox.fault({ kind: 'results', mode });
			const { json } = await bench.run(bulk(), contacts(3));
			expect(
				json.map(({ destination, consent_id, status }) => [destination, consent_id, status]),
			).toEqual(bench.sandbox.journal.map((dial) => [dial.phone, dial.consentId, 'initiated']));
		},
	);

	it('without batch_id the rows come out all the same', async () => {
		bench.sandbox.fault({ kind: 'results', mode: 'noBatchId' });
		const { json } = await bench.run(bulk(), contacts(2));
		expect(json.map(({ status, batch_id }) => [status, batch_id])).toEqual([
			['initiated', null],
			['initiated', null],
		]);
	});

	it('a status that nobody has seen is passed on', async () => {
		bench.sandbox.fault({ kind: 'results', mode: 'strangeStatus' });
		const { called } = await bench.run(bulk(), contacts(2));
		expect(called.map(({ json: { success, status } }) => [success, status])).toEqual([
			[true, 'teleported'],
			[true, 'teleported'],
		]);
	});
});

it('a campaign with dragged columns reaches the prompt', async () => {
	const promptVariables = assignments({ name: '={{ $json.name }}', amount: '={{ $json.amount }}' });
	const { json } = await bench.run(
		bulk({ agentNumber: AGENT_WITH_PROMPT, promptVariables }),
		contacts(3),
	);
	expect(json.every(({ success }) => success)).toBe(true);
	expect(bench.sandbox.journal.map(({ variables }) => variables)).toEqual([
		{ name: 'Person 0', amount: '0.5' },
		{ name: 'Person 1', amount: '1.5' },
		{ name: 'Person 2', amount: '2.5' },
	]);
});
