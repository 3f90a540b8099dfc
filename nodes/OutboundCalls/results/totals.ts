import { type CallOutcome, isCalled, type RowOutcome } from '../domain/callOutcome';
import { formatCount, formatRows, rowName } from '../domain/format';
import type { FollowedCall } from './followCalls';

/** People, and the rows that stand for them: rows with one number are one person, whether they share a call or not. */
interface People {
	people: number;
	rows: number;
}

/** What became of a run. */
export interface Count {
	rows: number;
	called: People;
	maybe: People;
	/** Of the rows that were not called, in words, most frequent first. */
	notCalled: Array<[word: string, rows: number]>;
	/** Positions of the rows that had not been sent when the run ended. */
	unsent: number[];
	/** Rows that another try may call. */
	rest: number;
	/** Of a dry run: who would be called. */
	planned: People;
	isDry: boolean;
}

/** Of a row that had not been sent when the run ended. */
const UNSENT = 'unsent';

/** The words of the totals, by status, for one row and for several. The API's other statuses say themselves. */
const WORDS: Record<string, string | [one: string, several: string]> = {
	invalid: 'invalid',
	refused: 'refused',
	duplicate: ['duplicate', 'duplicates'],
	same_number: 'with the number of another row',
	already_called: 'called before',
	rate_limited: 'rate limited',
	temporarily_unavailable: 'temporarily unavailable',
	failed: 'failed',
	skipped: 'skipped',
	locked: 'locked',
	outside_hours: 'outside calling hours',
	not_allowed: 'of a country or kind that is not allowed',
	do_not_call: 'not to be called',
	limit_reached: 'beyond a limit',
	dry_run: 'in a dry run',
	[UNSENT]: 'not sent',
};

/** In a dry run nothing was sent that the API could refuse. */
const HELD_BACK = 'held back: see reason';

export function countPeople(rows: readonly RowOutcome[]): Count {
	const none = (): People => ({ people: 0, rows: 0 });
	const count: Count = {
		rows: rows.length,
		called: none(),
		maybe: none(),
		notCalled: [],
		unsent: [],
		rest: 0,
		planned: none(),
		isDry: true,
	};
	const words = new Map<string, number>();
	const counted = new Map<People, Set<string>>();
	for (const { row, outcome: shown } of rows) {
		// Of a test, it counts what would become of the row.
		const outcome = shown.called === 'no' && shown.test ? shown.test.otherwise : shown;
		if (!row.isDry) count.isDry = false;
		const group = isCalled(outcome)
			? count[outcome.called === 'yes' ? 'called' : 'maybe']
			: isPlanned(outcome)
				? count.planned
				: undefined;
		if (group) {
			group.rows++;
			const people = counted.get(group) ?? new Set();
			counted.set(group, people.add(personOf(row)));
			group.people = people.size;
			continue;
		}
		if (isUnsent(outcome)) count.unsent.push(row.position);
		if (outcome.status === 'refused') count.rest++;
		const word = isUnsent(outcome) ? UNSENT : outcome.status;
		words.set(word, (words.get(word) ?? 0) + 1);
	}
	// In a run that calls people, rows of a dry run count as not called.
	if (!count.isDry && count.planned.rows > 0) words.set('dry_run', count.planned.rows);
	count.notCalled = [...words].sort((a, b) => b[1] - a[1]);
	return count;
}

const personOf = (row: RowOutcome['row']): string =>
	'person' in row ? row.person : row.destination;

const isUnsent = (outcome: CallOutcome): boolean => !isCalled(outcome) && 'notReached' in outcome;

/** A row of a dry run that would be called, or shares the call of one. */
const isPlanned = (outcome: CallOutcome): boolean =>
	outcome.called === 'no' && outcome.reach === undefined;

/** "300 rows: 40 people called (43 rows), 257 not called (250 called before, 7 invalid)" */
export function formatPeople({ rows, called, maybe, notCalled, planned, isDry }: Count): string {
	const others = notCalled.reduce((sum, [, each]) => sum + each, 0);
	const why =
		notCalled.length > 0
			? ` (${notCalled.map(([status, each]) => `${formatCount(each)} ${wordOf(status, each, isDry)}`).join(', ')})`
			: '';
	const parts = isDry
		? [people(planned, 'would be called'), `${formatCount(others)} not${why}`]
		: [
				people(called, 'called'),
				...(maybe.rows > 0 ? [people(maybe, 'may have been called')] : []),
				`${formatCount(others)} not called${why}`,
			];
	return `${formatRows(rows)}: ${parts.join(', ')}`;
}

/** "40 called" or, where several rows stand for one person, "40 people called (43 rows)". */
function people({ people: count, rows }: People, what: string): string {
	if (count === rows) return `${formatCount(count)} ${what}`;
	return `${count === 1 ? '1 person' : `${formatCount(count)} people`} ${what} (${formatRows(rows)})`;
}

function wordOf(status: string, rows: number, isDry: boolean): string {
	if (isDry && status === 'refused') return HELD_BACK;
	const word = WORDS[status] ?? 'with another status';
	return typeof word === 'string' ? word : word[rows === 1 ? 0 : 1];
}

/** What else the totals have to say of a run. */
export interface RunNotes {
	/** Why no phone rang in a test; undefined where it did, or where no row is one of a test. */
	noTest?: string | undefined;
	/** One of n8n's Evaluations. */
	isEvaluation?: boolean;
	/** n8n gave the node its first row only. */
	executesOnce?: boolean;
}

/** What stands above the table of results. */
export function totals(
	rows: readonly RowOutcome[],
	followed: ReadonlyMap<RowOutcome, FollowedCall>,
	notes: RunNotes = {},
): string {
	const count = countPeople(rows);
	const sums = formatPeople(count);
	const own = ownPhone(rows, notes.noTest);
	const refused = whyRefused(rows);
	const once = notes.executesOnce
		? 'Execute Once is on in the settings of this node, so only the first row was read'
		: '';
	if (count.isDry) {
		const why = notes.isEvaluation ? 'an evaluation of n8n is always a dry run' : 'Mode is Dry Run';
		const next =
			count.planned.people > 0 && !notes.isEvaluation ? ' To call them, set Mode to Live.' : '';
		const more = [refused && `Reason: ${refused}`, once]
			.map((sentence) => (sentence === '' ? '' : ` ${sentence}.`))
			.join('');
		return `${own ?? `Nobody was called: ${why}`}. ${sums}.${next}${more}`;
	}
	const more = [sharedKeys(rows), refused && `Refused: ${refused}`, own ?? '', once].filter(
		(sentence) => sentence !== '',
	);
	return [`${sums}${reachedPeople(followed)}`, ...more].join('. ') + (more.length > 0 ? '.' : '');
}

/** What came of a test; undefined where no row is one. */
function ownPhone(rows: readonly RowOutcome[], noTest: string | undefined): string | undefined {
	if (!rows.some(({ row }) => 'isTest' in row)) return undefined;
	for (const { row, outcome } of rows) {
		if (outcome.called !== 'no' || !outcome.test) continue;
		const number = rowName(row.position).toLowerCase();
		switch (outcome.test.called) {
			case 'yes':
				return `Only your own phone was called, with the words of ${number}: Mode is Test`;
			case 'maybe':
				return `Your own phone may have been called, with the words of ${number}: Mode is Test`;
			case 'no':
				return `Nobody was called: Mode is Test, and your own phone was not called, see ${number}`;
		}
	}
	return noTest ?? 'Nobody was called: Mode is Test';
}

function reachedPeople(followed: ReadonlyMap<RowOutcome, FollowedCall>): string {
	if (followed.size === 0) return '';
	const people = new Map<string, boolean | null>();
	for (const [{ row, outcome }, { reached }] of followed) {
		if (outcome.called !== 'yes') continue;
		const person = personOf(row);
		// One of several calls is enough; and as long as one is open, nobody knows.
		const before = people.get(person);
		people.set(
			person,
			reached === true || before === true
				? true
				: reached === null || before === null
					? null
					: false,
		);
	}
	const called = people.size;
	if (called === 0) return '';
	const count = (which: boolean | null): number =>
		[...people.values()].filter((reached) => reached === which).length;
	const [reached, not, open] = [count(true), count(false), count(null)];
	return `; of ${formatCount(called)} called: ${formatCount(reached)} reached, ${formatCount(not)} not${open > 0 ? `, ${formatCount(open)} not known yet` : ''}`;
}

/** What keeps all refused rows back, such as a setting or the account, so that nobody has to look for it in the rows. */
function whyRefused(rows: readonly RowOutcome[]): string {
	const reasons = new Set(
		rows.flatMap(({ outcome }) => (outcome.status === 'refused' ? outcome.reason : [])),
	);
	const [reason] = reasons;
	return reasons.size === 1 && reason ? reason.replace(/\.$/, '') : '';
}

/** A key that is the same for everybody keeps all but one from being called, so the totals say it. */
function sharedKeys(rows: readonly RowOutcome[]): string {
	const shared = rows.filter(({ outcome }) => outcome.called === 'no' && outcome.sharesKey).length;
	if (shared === 0) return '';
	const one = shared === 1;
	return `${formatRows(shared)} ${one ? 'has' : 'have'} the same value in Remember People By as an earlier row with another number, so ${one ? 'it was' : 'they were'} not called. Look at the column in that option`;
}
