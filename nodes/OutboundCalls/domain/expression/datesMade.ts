import { codesOf } from './tree';

/** What makes a date of what it is given. */
const MAKING = /\b(?:DateTime\.from\w+|new (Date))(?=\()|\.toDateTime\(([^()]*)\)/g;

/** What asks itself whether a date is one. */
const ASKING = /\b(?:isValid|isNaN)\b/;

/** On both sides of all that somebody compares. */
const DAYS = ['2099-12-31', '1970-01-02'];

/** Code with something else in place of each invalid date, but for those that are made of nothing. */
const inPlaceOfUnread = (code: string, other: (isOfJavaScript: boolean) => string): string =>
	code.replace(MAKING, (making, isOfJavaScript: string | undefined, given: string | undefined) => {
		const read = (of: string, made: string): string =>
			`((made) => made - made === 0 || !String(${of} || "").trim() ? made : ${other(isOfJavaScript !== undefined)})(${made})`;
		return given === undefined
			? `((...given) => ${read('given[0]', `${making}(...given)`)})`
			: `.split().map((given) => ${read('given', `given${making}`)})[0]`;
	});

/** Expressions that tell what became of dates in another one. */
export interface DatesMade {
	/** How many dates are invalid. */
	countUnread: string;
	/** What it would come to with a day in place of each of them; one for each of two days. */
	withDays: string[];
}

/**
 * Of what is no date in its form, an expression makes an invalid one, which is null as text, and neither before nor after another, without a word (Luxon behaviour).
 * Undefined if it makes no dates, or asks itself whether they are some. `ended`: the end of a statement.
 */
export function datesMade(stored: unknown, ended: RegExp): DatesMade | undefined {
	if (typeof stored !== 'string' || stored.search(MAKING) < 0 || ASKING.test(stored)) return undefined;
	const codes = codesOf(stored).map((code) => `${inPlaceOfUnread(code.replace(ended, ''), () => '(unread.push(0), made)')}\n`);
	return {
		countUnread: `={{ ((unread) => [[${codes.join()}], unread.length][1])([]) }}`,
		withDays: DAYS.map((day) => inPlaceOfUnread(stored, (isOfJavaScript) => `${isOfJavaScript ? 'new Date' : 'DateTime.fromISO'}("${day}")`)),
	};
}
