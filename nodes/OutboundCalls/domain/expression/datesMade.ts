/** What makes a date of what it is given. */
const MAKING = /\b(?:DateTime\.from\w+|new (Date))(?=\()|\.toDateTime\(([^()]*)\)/g;

/** On both sides of all that somebody compares. */
const DAYS = ['2099-12-31', '1970-01-02'];

/**
 * Of what is no date in its form, an expression makes an invalid one, which is null as text, and neither before nor after another, without a word (Luxon behaviour). This is
 * the expression as it is stored, with a day in place of each such date, but for those that are made of nothing; one for each of two days. None, if it makes no dates.
 */
export const withDays = (stored: unknown): string[] =>
	typeof stored !== 'string' || stored.search(MAKING) < 0
		? []
		: DAYS.map((day) =>
				stored.replace(MAKING, (making, isOfJavaScript: string | undefined, given: string | undefined) => {
					const date = isOfJavaScript ? `new Date("${day}")` : `DateTime.fromISO("${day}")`;
					const read = (of: string, made: string): string => `((made) => made - made === 0 || !String(${of} || "").trim() ? made : ${date})(${made})`;
					return given === undefined
						? `((...given) => ${read('given[0]', `${making}(...given)`)})`
						: `.split().map((given) => ${read('given', `given${making}`)})[0]`;
				}),
			);
