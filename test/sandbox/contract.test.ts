import { AGENT } from '../engine/helpers/account';
import { type ApiRequest, Contract } from './contract';

const contract = new Contract();
const A = '+15551110001';
const json = { 'content-type': 'application/json; charset=utf-8' };

const result = {
	destination: A,
	success: true,
	consent_id: 1001,
	call_sid: 'CA1',
	status: 'initiated',
	error: null,
};
const undialed = { ...result, success: false, call_sid: null, status: 'locked', error: 'Locked' };
const placed = {
	success: true,
	batch_id: '6f2b1c9e-0d43-4f5a-9a57-3b8c1e7d2a10',
	total: 2,
	succeeded: 1,
	failed: 1,
	results: [result, undialed],
};
const refused = { success: false, error: 'No' };
const limited = { ...refused, error_type: 'rate_limit', detail: 'Look at the dashboard' };
const details = { policy: 'outbound_bulk', retry_after: 3 };
const exhausted = { error: 'mf-core:rate-limit-exceeded', message: 'Later', details };

const undialedAs = (more: object) => ({ ...placed, results: [{ ...undialed, ...more }] });
const alreadyPlaced = { success: false, error: 'Call already placed for this consent' };

type Place = 'bulk' | 'call' | 'batch' | 'cancel';
const places: Record<Place, Pick<ApiRequest, 'method' | 'path'>> = {
	bulk: { method: 'POST', path: '/calls/bulk' },
	call: { method: 'POST', path: '/calls' },
	batch: { method: 'GET', path: `/batches/${placed.batch_id}?page=2` },
	cancel: { method: 'POST', path: '/consents/1001/cancel' },
};

/** As it goes over the wire: undefined fields are left out. */
const overTheWire = (body: unknown): unknown =>
	body === undefined ? undefined : (JSON.parse(JSON.stringify(body)) as unknown);

function answerDepartures(
	place: Place,
	status: number,
	body: unknown,
	headers: ApiRequest['headers'] = json,
): string[] {
	return contract.answerDepartures({ ...places[place], status, headers, body: overTheWire(body) });
}

describe('an answer', () => {
	test.each<[string, Place, number, unknown]>([
		['a field that is not shown', 'bulk', 201, { ...placed, news: 1 }],
		['a call that was placed already, with any status', 'cancel', 409, alreadyPlaced],
		['an exhausted allowance', 'bulk', 429, exhausted],
	])('is the API’s: %s', (_, place, status, body) => {
		expect(answerDepartures(place, status, body)).toEqual([]);
	});

	test.each<[string, Place, number, unknown, RegExp]>([
		['a missing field', 'bulk', 201, { ...placed, batch_id: undefined }, /'batch_id'/],
		['a failure that is initiated', 'bulk', 201, undialedAs({ status: 'initiated' }), /NOT be/],
		['a placed call without its identifier', 'call', 201, { success: true }, /'call_id'/],
		['a status that nobody documented', 'bulk', 418, refused, /the status is not documented/],
	])('is not the API’s: %s', (_, place, status, body, departure) => {
		const found = answerDepartures(place, status, body);
		expect(found).toEqual([expect.stringMatching(departure)]);
	});

	test('may say how long to wait, in whole seconds', () => {
		const waiting = (seconds: string) =>
			answerDepartures('bulk', 429, limited, { ...json, 'retry-after': seconds });
		expect(waiting('3')).toEqual([]);
		expect(waiting('soon')).toEqual([expect.stringMatching(/Retry-After\/value must be integer/)]);
	});
});

function requestDepartures(
	place: Place | Pick<ApiRequest, 'method' | 'path'>,
	body?: unknown,
	headers = body ? json : {},
): string[] {
	return contract.requestDepartures({
		...(typeof place === 'string' ? places[place] : place),
		headers,
		body: overTheWire(body),
	});
}

const call = { destination: A, agent_number: AGENT };

// What a body may hold, schema.test.ts compares with the sandbox.
test.each<[string, Parameters<typeof requestDepartures>[0], unknown, RegExp]>([
	['a typo', 'call', { ...call, promptVariables: {} }, /NOT have unevaluated properties/],
	['a body where none is taken', 'cancel', { id: 1 }, /a body is not documented/],
	['page 0', { method: 'GET', path: `/batches/${placed.batch_id}?page=0` }, undefined, />= 1/],
	['another path', { method: 'GET', path: '/batches' }, undefined, /there is no such operation/],
])('a request breaks the rules: %s', (_, place, body, departure) => {
	expect(requestDepartures(place, body)).toEqual([expect.stringMatching(departure)]);
});
