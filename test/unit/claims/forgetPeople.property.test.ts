import fc from 'fast-check';
import { Counts } from '../../../nodes/OutboundCalls/claims/counts';
import { forgetPeople } from '../../../nodes/OutboundCalls/claims/forgetPeople';
import {
	type CallLimits,
	limitsAt,
	reachedName,
} from '../../../nodes/OutboundCalls/domain/callLimits';
import {
	alongKeys,
	chosenKey,
	memoryKeys,
	memorySetting,
} from '../../../nodes/OutboundCalls/domain/memoryKeys';
import { HostStore, row } from './hostStore';

const PEOPLE = ['+4917000001', '+4917000002', '+4917000003', '+4917000004'];
const SETTINGS = [undefined, '={{ $json.id }}', '={{ $json.invoice }}'].map(memorySetting);
const ZONE = 'Europe/Berlin';
const NOW = Date.UTC(2026, 10, 23, 12);
const DAY = 86_400_000;

interface Call {
	person: number;
	setting: number;
	daysAgo: number;
	limits: Array<'day' | 'week' | 'month' | 'ever'>;
	isReached: boolean;
	isGivenBack: boolean;
}

const call: fc.Arbitrary<Call> = fc.record({
	person: fc.nat({ max: PEOPLE.length - 1 }),
	setting: fc.nat({ max: SETTINGS.length - 1 }),
	daysAgo: fc.constantFrom(0, 0, 1, 2, 9, 40, 400),
	limits: fc.subarray<'day' | 'week' | 'month' | 'ever'>(['day', 'week', 'month', 'ever']),
	isReached: fc.boolean(),
	isGivenBack: fc.boolean(),
});

/** Enters all that a call leaves behind, as runs do. */
async function remember(
	store: HostStore,
	{ person, setting, daysAgo, limits, isReached, isGivenBack }: Call,
): Promise<void> {
	const keys = store.open();
	const counts = new Counts(keys);
	const of = PEOPLE[person]!;
	const called = {
		...row(0, of),
		...(SETTINGS[setting] === undefined ? {} : { callOnceKey: `id ${person}` }),
	};
	const perPerson = limits.map((per) => ({ calls: 100, per }));
	const now: CallLimits = { perPerson, perDay: 1_000, stopWhenReached: true, zone: ZONE };
	const counted = limitsAt(now, NOW - daysAgo * DAY).countedFor(of);
	await counts.take(() => [counted]);
	if (isGivenBack) await counts.giveBack([counts.taken(counted)]);
	else
		await keys.record([
			...memoryKeys(called, SETTINGS[setting]),
			...alongKeys(called, SETTINGS[setting]),
		]);
	if (isReached) await counts.mark([reachedName(of)]);
	await keys.close();
}

const oldestFirst = (calls: readonly Call[]): Call[] =>
	[...calls].sort((a, b) => b.daysAgo - a.daysAgo);

/** A key that names somebody: their number, or the key that was chosen for them. */
const isOf = (person: number, key: string): boolean =>
	key.includes(PEOPLE[person]!) || key === chosenKey(`id ${person}`);

describe('G8 people are forgotten', () => {
	it('nothing is left of them, nobody else is touched, and as many entries are told as went', async () => {
		const some = fc.subarray([0, 1, 2, 3], { minLength: 1 });
		await fc.assert(
			fc.asyncProperty(fc.array(call, { maxLength: 12 }), some, async (calls, forgotten) => {
				const store = new HostStore();
				for (const each of oldestFirst(calls)) await remember(store, each);
				const before = store.keys;
				const theirs = before.filter((key) => forgotten.some((person) => isOf(person, key)));
				const keys = store.open();
				const whom = {
					people: new Set(forgotten.map((person) => PEOPLE[person]!)),
					keys: new Set(forgotten.map((person) => `id ${person}`)),
					taken: 0,
					unread: 0,
				};
				const { entries } = await forgetPeople(keys, whom, ZONE, NOW, undefined);
				await keys.close();
				expect(store.keys).toEqual(before.filter((key) => !theirs.includes(key)));
				expect(entries).toBe(theirs.length);
			}),
			{ numRuns: 60 },
		);
	});
});
