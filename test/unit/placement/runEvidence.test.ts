import type { Exchange, RefusalReach } from '../../../nodes/OutboundCalls/domain/api/exchange';
import { RunEvidence } from '../../../nodes/OutboundCalls/placement/runEvidence';

const own: Exchange = { kind: 'answer', status: 201, body: { success: true, results: [] } };
const page: Exchange = { kind: 'answer', status: 502, body: '<html>' };
const timeout: Exchange = { kind: 'noAnswer', code: 'ETIMEDOUT' };
const reset: Exchange = { kind: 'noAnswer', code: 'ECONNRESET' };
const refused: Exchange = { kind: 'notOpened', code: 'ECONNREFUSED' };

it.each<[string, Exchange[], boolean]>([
	['three pages end the run', [page, page, page], true],
	['three timeouts end the run', [timeout, timeout, timeout], true],
	['a timeout, a broken connection and a page end the run', [timeout, reset, page], true],
	['two do not', [timeout, timeout], false],
	['an answer in between begins anew', [timeout, page, own, reset, timeout], false],
	['connections that did not open do not count', [timeout, timeout, refused, refused], false],
])('G6 requests in a row without an answer of the API’s own: %s', (_, exchanges, ends) => {
	const evidence = new RunEvidence({}, 'api');
	for (const exchange of exchanges) evidence.noteAnswer(exchange);
	expect(evidence.problemOf('any') !== undefined).toBe(ends);
	if (ends) expect(evidence.problemOf('any')!.remedy).toMatch(/Base URL/);
});

describe('G6 what a refusal ends', () => {
	const why = { message: 'No', remedy: 'Change it.' };

	it.each<[string, RefusalReach | undefined, Exchange, boolean, boolean]>([
		['its request alone', undefined, own, false, false],
		['its row alone', 'row', own, false, false],
		['its agent’s rows', 'agent', own, true, false],
		['the run', 'run', own, true, true],
		['the run, if the connection did not open', undefined, refused, true, true],
	])('%s', (_, reach, exchange, agent, other) => {
		const evidence = new RunEvidence({}, 'api');
		evidence.noteRefusal('agent', { ...why, reach }, exchange);
		const problems = [evidence.problemOf('agent'), evidence.problemOf('other')];
		expect(problems.map(Boolean)).toEqual([agent, other]);
	});

	it('the first reason counts', () => {
		const evidence = new RunEvidence({}, 'api');
		evidence.endRun(why);
		expect(evidence.endRun({ message: 'Other', remedy: '' })).toBe(why);
	});
});

it('G3 an answer of the API is remembered for the same address alone', () => {
	const state = {};
	new RunEvidence(state, 'api').noteAnswer(page);
	expect(new RunEvidence(state, 'api').apiAnswered).toBe(false);
	new RunEvidence(state, 'api').noteAnswer(own);
	expect(new RunEvidence(state, 'api').apiAnswered).toBe(true);
	expect(new RunEvidence(state, 'other').apiAnswered).toBe(false);
});
