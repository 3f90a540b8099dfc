import * as fc from 'fast-check';
import type { RefusalReach } from '../../../nodes/OutboundCalls/domain/api/exchange';
import { apiProblem, pauseProblem } from '../../../nodes/OutboundCalls/http/apiErrors';
import { calling, canceling, own, reading, refusals, subject } from './apiErrorCases';

describe('each refusal says what happened and what to do', () => {
	it.each(refusals)('%s', (_, exchange, about, message, remedy, facts = {}) => {
		const described = apiProblem(exchange, about);
		expect(described.message).toMatch(message);
		expect(described.remedy).toMatch(remedy);
		expect(described).toMatchObject(facts);
		if (exchange.kind === 'answer') expect(described.httpCode).toBe(exchange.status);
	});

	it.each<[number, RefusalReach | undefined]>([
		[400, 'row'],
		[404, 'agent'],
		[409, undefined],
		[422, 'agent'],
		[503, 'run'],
	])('a %d with a text that says nothing reaches: %s', (status, reach) => {
		expect(apiProblem(own(status, 'x'), subject).reach).toBe(reach);
	});

	it('says what is left of a pause that another request was told', () => {
		const limit = own(429, 'Later', { details: { retry_after: 60 } }, '60');
		const { remedy, retryAfterMs } = pauseProblem(limit, subject, 45_000);
		expect([remedy, retryAfterMs]).toEqual(['Try again in 45 seconds.', 45_000]);
	});
});

it('whatever arrives gets a sentence and a remedy, and no text of the API grows without end', () => {
	const body = fc.oneof(
		fc.jsonValue(),
		fc.record({ success: fc.constant(false), error: fc.string({ maxLength: 2_000 }) }),
	);
	const arrived = fc.oneof(
		fc.record({
			kind: fc.constant('answer' as const),
			status: fc.integer({ min: 100, max: 599 }),
			body,
			retryAfter: fc.option(fc.string(), { nil: undefined }),
		}),
		fc.record({
			kind: fc.constantFrom('notOpened' as const, 'noAnswer' as const),
			code: fc.string(),
		}),
	);
	const about = fc.constantFrom(subject, reading, canceling, calling);
	fc.assert(
		fc.property(arrived, about, (exchange, aboutWhat) => {
			const { message, remedy } = apiProblem(exchange, aboutWhat);
			expect(message.length).toBeGreaterThan(10);
			expect(remedy.length).toBeGreaterThan(10);
			expect(message).not.toMatch(/\n/);
			expect(message.length).toBeLessThan(1_000);
		}),
	);
});
