import { workbench } from './helpers/workbench';
import {
	AGENT,
	AGENT_WITH_SIP_ID,
	bulk,
	CALLER,
	contacts,
	pairs,
	phone,
	SIP_AGENT,
} from './helpers/workflows';

const bench = workbench();

it('G6 25 rows are called with exactly 3 requests and come out in order', async () => {
	const { called, notCalled, error } = await bench.run(bulk(), contacts(25));
	expect(error).toBeUndefined();
	expect(notCalled).toEqual([]);
	expect(bench.sandbox.requests.map(({ method, path, dialed }) => [method, path, dialed])).toEqual(
		[10, 10, 5].map((dialed) => ['POST', '/api/v1/outbound/calls/bulk', dialed]),
	);
	expect(called.map(({ json }) => json.destination)).toEqual(contacts(25).map((row) => row.phone));
	expect(pairs(called)).toEqual(contacts(25).map((_, n) => n));
});

it('a row holds what the API says of its call', async () => {
	const { json } = await bench.run(bulk(), contacts(2));
	expect(json).toEqual(
		bench.sandbox.journal.map((dial) => ({
			status: 'initiated',
			called: 'yes',
			reason: 'Call started',
			destination: dial.phone,
			success: true,
			consent_id: dial.consentId,
			call_sid: dial.callSid,
			batch_id: dial.batchId,
		})),
	);
});

it('G2 a number in several rows is called once, and later rows carry its IDs', async () => {
	const { json } = await bench.run(bulk(), [...contacts(12), { phone: phone(3) }]);
	expect(bench.dialed.sort()).toEqual(contacts(12).map((row) => row.phone));
	expect(bench.sandbox.requests).toHaveLength(2);
	expect(json[12]).toEqual({
		...json[3],
		status: 'duplicate',
		called: 'other_row',
		reason: 'Same number as row 4',
	});
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
	const bodies = bench.bodies<{ agent_number: string; destinations: unknown[] }>();
	expect(bodies.map((body) => [body.agent_number, body.destinations.length])).toEqual([
		[AGENT_WITH_SIP_ID, 7],
		[AGENT, 7],
	]);
	expect(json.map(({ destination }) => destination)).toEqual(items.map((row) => row.phone));
});

it('agent and caller may come from the row, and a phone number needs no caller', async () => {
	const parameters = bulk({ agentNumber: '={{ $json.agent }}', callerNumber: '={{ $json.from }}' });
	await bench.run(parameters, [
		{ phone: phone(1), agent: ` ${SIP_AGENT}`, from: CALLER },
		{ phone: phone(2), agent: AGENT, from: '' },
		{ phone: phone(3), agent: AGENT.slice(1), from: '' },
	]);
	const { journal } = bench.sandbox;
	expect(journal.map(({ agentNumber, callerNumber }) => [agentNumber, callerNumber])).toEqual([
		[SIP_AGENT, CALLER],
		[AGENT, undefined],
		[AGENT, undefined],
	]);
});
