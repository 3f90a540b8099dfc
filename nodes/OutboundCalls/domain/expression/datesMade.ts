import { codesOf } from './tree';

/** What makes a date of what it is given. */
const MAKING = /\b(?:DateTime\s*\.from\w+|new Date)(?=\s*\((?!\)))|\.toDateTime\(([^()]*)\)/g;

/** An expression that allows for what is no date: it asks for that, or gives something else right in its place, but for one that is compared. */
const ALLOWING =
	/(?<!json\??\.(?:\w+\??\.)*)\bisValid\b|\bis(?:NaN|Finite)\((?!\$json)|\.invalid(?:Reason|Explanation)\b|['"`]Invalid Date|(?:\.from\w+|new Date|\.toDateTime)(?<!(?:(?<!=)[<>]=?|[=!]==?)[^<>=!&|?:,;{}]*)\((?:[^()]|\([^()]*\))*\)(?:\??\.(?!is|has|eq)\w+\([^()]*\))*\s*(?:\?\?|\|\|)(?!\s*(?:''|""|``|null\b|\[\]))/;

/** What is made of an empty cell: `$json.day + 'T12:00'` */
const OF_NOTHING = String.raw`/^\s*(?:null|undefined)?(?:T[\d:.Z+-]*|\s\d\d:[\d:.]*)?\s*$/`;

/**
 * Of what is no date in its form, an expression makes an invalid one, which is null as text, and neither before nor after another, without a word (Luxon behaviour). This
 * is an expression for how many such dates it makes of something. Undefined if it makes no dates, or allows for that. `ended`: the end of a statement.
 */
export function countOfUnreadDates(stored: unknown, ended: RegExp): string | undefined {
	if (typeof stored !== 'string' || stored.search(MAKING) < 0 || ALLOWING.test(stored))
		return undefined;
	// An invalid date of JavaScript was counted when it was made.
	const read = (given: string, made: string): string =>
		`((made) => (made - made === 0 || !${given} || (${given}.getTime && ${given} - ${given} !== 0) || ${OF_NOTHING}.test(${given}) || unread.push(0), made))(${made})`;
	const codes = codesOf(stored).map((code) =>
		code
			.replace(ended, '')
			.replace(MAKING, (making, given: string | undefined) =>
				given === undefined
					? `((...given) => ${read('given[0]', `${making}(...given)`)})`
					: `.split().map((given) => ${read('given', `given${making}`)})[0]`,
			),
	);
	return `={{ ((unread) => [[${codes.map((code) => `${code}\n`).join()}], unread.length][1])([]) }}`;
}
