import * as fc from 'fast-check';
import { apiProblem } from '../../../nodes/OutboundCalls/http/apiErrors';
import { calling, cancelling, NOW, own, reading, refusals, subject } from './apiErrorCases';

describe('each refusal says what happened and what to do', () => {
	it.each(
		refusals.map(([happened, exchange, about, message, remedy, facts]) => ({
			happened,
			exchange,
			about,
			message,
			remedy,
			facts,
		})),
	)('$happened', ({ exchange, about, message, remedy, facts }) => {
		const described = apiProblem(exchange, about, NOW);
		expect(described.message).toMatch(message);
		expect(described.remedy).toMatch(remedy);
		expect(described).toMatchObject(facts);
	});

	it.each(['400', '429', '503'])(
		'a refusal of one request does not end the others of its agent (%s)',
		(status) => {
			expect(apiProblem(own(Number(status), 'x'), subject, NOW).ends).toBeUndefined();
		},
	);
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
	const about = fc.constantFrom(subject, reading, cancelling, calling);
	fc.assert(
		fc.property(arrived, about, (exchange, aboutWhat) => {
			const { message, remedy } = apiProblem(exchange, aboutWhat, NOW);
			expect(message.length).toBeGreaterThan(10);
			expect(remedy.length).toBeGreaterThan(10);
			expect(message).not.toMatch(/\n/);
			expect(message.length).toBeLessThan(1_000);
		}),
	);
});
