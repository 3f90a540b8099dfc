import { codesOf } from './tree';

/** What makes a date of what it is given. */
const MAKING = /\b(?:DateTime\.from\w+|new (Date))(?=\((?!\)))|\.toDateTime\(([^()]*)\)/g;

/** Whether an expression asks itself whether a date is one. */
export const asksForDates = (stored: unknown): boolean => /\b(?:isValid|isNaN)\b/.test(String(stored));

const [PAST, FUTURE] = ['"1970-01-02"', '"2099-12-31"'];
/** Before and behind all that somebody compares, from and until, and today: for the first date of an expression and the second, and so on in turn. */
const WAYS = [[FUTURE], [PAST], [PAST, FUTURE], [FUTURE, PAST], ['']];

/** Code with something else in place of each invalid date, but for those that are made of nothing. */
function inPlaceOfUnread(code: string, other: (isOfJavaScript: boolean, place: number) => string): string {
	let place = 0;
	return code.replace(MAKING, (making, isOfJavaScript: string | undefined, given: string | undefined) => {
		const date = other(isOfJavaScript !== undefined, place++);
		const read = (of: string, made: string): string => `((made) => made - made === 0 || !String(${of} || "").trim() ? made : ${date})(${made})`;
		return given === undefined
			? `((...given) => ${read('given[0]', `${making}(...given)`)})`
			: `.split().map((given) => ${read('given', `given${making}`)})[0]`;
	});
}

/** Expressions that tell what became of dates in another one. */
export interface DatesMade {
	/** How many dates are invalid. */
	countUnread: string;
	/** What it would come to with days in place of them, in several ways. */
	withDays: string[];
}

/**
 * Of what is no date in its form, an expression makes an invalid one, which is null as text, and neither before nor after another, without a word (Luxon behaviour).
 * Undefined if it makes no dates. `ended`: the end of a statement.
 */
export function datesMade(stored: unknown, ended: RegExp): DatesMade | undefined {
	if (typeof stored !== 'string' || stored.search(MAKING) < 0) return undefined;
	const codes = codesOf(stored).map((code) => `${inPlaceOfUnread(code.replace(ended, ''), () => '(unread.push(0), made)')}\n`);
	return {
		countUnread: `={{ ((unread) => [[${codes.join()}], unread.length][1])([]) }}`,
		withDays: WAYS.map((days) =>
			inPlaceOfUnread(stored, (isOfJavaScript, place) => {
				const day = days[place % days.length]!;
				if (isOfJavaScript) return `new Date(${day})`;
				return day === '' ? '$now' : `DateTime.fromISO(${day})`;
			}),
		),
	};
}
