import * as fc from 'fast-check';
import type {
	Exchange,
	Purpose,
	RefusalReach,
	Subject,
} from '../../../nodes/OutboundCalls/domain/api/exchange';
import { apiProblem, pauseProblem } from '../../../nodes/OutboundCalls/http/apiErrors';
import cases from './refusals.json';

const about = (purpose: Purpose, more: Partial<Subject> = {}): Subject => ({
	...{ purpose, agentNumber: '+15550001000', callRecordId: '1042', timeoutMs: 60_000 },
	...{ batchId: '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e', ...more },
});
const SUBJECTS: Record<string, Subject> = {
	bulkCall: about('bulkCall'),
	read: about('read'),
	cancel: about('cancel'),
	placeCall: about('placeCall'),
	/** Before the API has answered in the run. */
	firstCall: about('bulkCall', { apiAnswered: false }),
	withVariables: about('bulkCall', { sentVariables: ['Name', 'other'] }),
};
const subject = SUBJECTS.bulkCall!;

const own = (status: number, error: string, more = {}, retryAfter?: string): Exchange => ({
	...{ kind: 'answer', status, body: { success: false, error, ...more }, retryAfter },
});

/** In the cases, a list is the API's own refusal: its status, text, other fields and Retry-After. */
function exchangeOf(met: object): Exchange {
	if (Array.isArray(met)) return own(...(met as Parameters<typeof own>));
	if ('status' in met) return { kind: 'answer', ...met } as Exchange;
	const [[kind, code]] = Object.entries(met) as [['notOpened' | 'noAnswer', string]];
	return { kind, code };
}

describe('each refusal says what happened and what to do', () => {
	it.each(cases.flatMap(({ met, ...each }) => met.map((one) => ({ ...each, one }))))(
		'$what: $one',
		({ about: whom, one, message, remedy, facts = {} }) => {
			const exchange = exchangeOf(one);
			const described = apiProblem(exchange, SUBJECTS[whom]!);
			expect(described.message).toMatch(new RegExp(message));
			expect(described.remedy).toMatch(new RegExp(remedy));
			expect(described).toMatchObject(facts);
			if (exchange.kind === 'answer') expect(described.httpCode).toBe(exchange.status);
		},
	);

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
	const error = fc.string({ maxLength: 2_000 });
	const kind = fc.constant('answer' as const);
	const status = fc.integer({ min: 100, max: 599 });
	const body = fc.oneof(fc.jsonValue(), fc.record({ success: fc.constant(false), error }));
	const retryAfter = fc.option(fc.string(), { nil: undefined });
	const arrived = fc.oneof(
		fc.record({ kind, status, body, retryAfter }),
		fc.record({ kind: fc.constantFrom('notOpened', 'noAnswer'), code: fc.string() }),
	) as fc.Arbitrary<Exchange>;
	const subjects = fc.constantFrom(...Object.values(SUBJECTS));
	fc.assert(
		fc.property(arrived, subjects, (exchange, whom) => {
			const { message, remedy } = apiProblem(exchange, whom);
			expect(message.length).toBeGreaterThan(10);
			expect(remedy.length).toBeGreaterThan(10);
			expect(message).not.toMatch(/\n/);
			expect(message.length).toBeLessThan(1_000);
		}),
	);
});
