import * as fc from 'fast-check';
import {
	type CallOutcome,
	nodeOutcome,
	type Reach,
} from '../../../nodes/OutboundCalls/domain/outcome';
import { requestPlan } from '../../../nodes/OutboundCalls/domain/api/requests';
import type { Row } from '../../../nodes/OutboundCalls/domain/row';
import { deduplicate, isFreedBy, promote } from '../../../nodes/OutboundCalls/domain/sharing';
import { row, rows } from './rows';

const A = '+15550001';
const refused = (scope: Reach): CallOutcome => ({
	...nodeOutcome('refused', 'No', scope),
	call: 'none',
	reach: scope,
});

describe('G2 one call per person per run', () => {
	const reaches = fc.constantFrom('row', 'person', 'purpose', 'agent');

	it('each person leads once, and every other row of theirs follows', () => {
		fc.assert(
			fc.property(rows, (list) => {
				const { callers, followers } = deduplicate(list);
				expect(new Set(callers.map(({ person }) => person)).size).toBe(callers.length);
				expect(callers.length + followers.size).toBe(list.length);
				for (const each of list)
					expect(followers.get(each.position)?.person ?? each.person).toBe(each.person);
			}),
		);
	});

	it('whatever keeps first rows from being called, no person leads twice at the same time', () => {
		fc.assert(
			fc.property(rows, fc.array(reaches, { minLength: 60, maxLength: 60 }), (list, scopes) => {
				const shared = deduplicate(list);
				const seen = new Map<number, CallOutcome>();
				for (let callers: readonly Row[] = shared.callers; callers.length > 0;) {
					expect(new Set(callers.map(({ person }) => person)).size).toBe(callers.length);
					for (const each of callers)
						seen.set(each.position, refused(scopes[each.position] as Reach));
					callers = promote(shared, list, (first, follower) =>
						isFreedBy(seen.get(first.position), first, follower),
					);
					for (const each of callers) expect(seen.has(each.position)).toBe(false);
				}
			}),
		);
	});

	it('a request holds at most ten numbers of one agent and caller, and nobody twice', () => {
		fc.assert(
			fc.property(rows, (list) => {
				const { callers } = deduplicate(list);
				const chunks = requestPlan(callers);
				const positions = (of: readonly Row[]) => of.map(({ position }) => position).sort();
				expect(positions(chunks.flatMap((chunk) => chunk.rows))).toEqual(positions(callers));
				for (const { rows: sent } of chunks) {
					expect(sent.length).toBeLessThanOrEqual(10);
					const lines = sent.map(
						(each) => `${each.agentNumber.replace('+', '')} ${each.callerNumber}`,
					);
					expect(new Set(lines).size).toBe(1);
				}
			}),
		);
	});
});

it.each<[string, Reach, Partial<Row>, Partial<Row>, boolean]>([
	['for a reason of its own', 'row', {}, {}, true],
	['for a reason of the person', 'person', {}, {}, false],
	['for another appointment', 'purpose', { onceForEach: 'mon' }, { onceForEach: 'tue' }, true],
	['for the same appointment', 'purpose', { onceForEach: 'mon' }, { onceForEach: 'mon' }, false],
	['by another agent', 'agent', {}, { agentNumber: 't-sales' }, true],
	['by the same agent, written otherwise', 'agent', {}, { agentNumber: '15550001000' }, false],
	['on other clocks', 'hours', {}, { timeZones: ['Europe/Berlin'] }, true],
	['because the run ended', 'run', {}, { agentNumber: 't-sales' }, false],
])(
	'a person’s next row is called if the first was not: %s: %s',
	(_, reach, first, follower, isCalled) => {
		const [a, b] = [row(0, { destination: A, ...first }), row(1, { destination: A, ...follower })];
		expect(isFreedBy(refused(reach), a, b)).toBe(isCalled);
	},
);
