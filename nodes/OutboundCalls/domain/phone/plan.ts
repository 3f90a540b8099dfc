import metadata from 'libphonenumber-js/metadata.max.json';
import { leadingDigits } from './leadingDigits';
import type { SpecialKind } from './specialNumbers';

/** Numbers of one kind in one country. */
interface Range {
	/** Undefined: ordinary. */
	kind: SpecialKind | undefined;
	pattern: string;
	whole: RegExp;
	/** What such numbers begin with; made when it is asked for. */
	begun?: RegExp;
}

/** Places in the library's data (METADATA.md in its repository). A test compares what is read here with what the library says. */
const PATTERN = 2;
const LENGTHS = 3;
const NATIONAL_PREFIX = 5;
const PREFIX_FOR_PARSING = 7;
const PREFIX_TRANSFORM = 8;
const LEADING_DIGITS = 10;
const TYPES = 11;

/** The kinds of the types in the data: fixed line, mobile, toll-free, premium rate, personal number, voicemail, UAN, pager, VoIP, shared cost. */
const KINDS: ReadonlyArray<SpecialKind | undefined> = [
	...[undefined, undefined, undefined, 'premiumRate', 'personalNumber'],
	...['voicemail', undefined, 'pager', undefined, 'sharedCost'],
] as Array<SpecialKind | undefined>;

/** The numbering plan of one country, or of a calling code of no country. National numbers are digits behind the calling code. */
export class Plan {
	private readonly general: RegExp;
	private readonly leading: RegExp | undefined;
	private readonly lengths: ReadonlySet<number>;
	private readonly ranges: readonly Range[];
	private readonly trunkPrefix: RegExp | undefined;
	private readonly trunkTransform: string | undefined;
	private readonly likely = new Map<string, SpecialKind | undefined>();
	private readonly longest: number;
	private readonly shortest: number;

	constructor(
		data: readonly unknown[],
		/** ISO code; undefined: of no country. */
		readonly country: string | undefined,
	) {
		this.general = entirely(data[PATTERN] as string);
		this.leading = data[LEADING_DIGITS]
			? new RegExp(`^(?:${data[LEADING_DIGITS] as string})`)
			: undefined;
		this.lengths = new Set(data[LENGTHS] as number[]);
		this.longest = Math.max(...this.lengths);
		this.shortest = Math.min(...this.lengths);
		const prefix = (data[PREFIX_FOR_PARSING] || data[NATIONAL_PREFIX]) as string | 0;
		this.trunkPrefix = prefix ? new RegExp(`^(?:${prefix})`) : undefined;
		this.trunkTransform = (data[PREFIX_TRANSFORM] as string | 0) || undefined;
		this.ranges = (data[TYPES] as Array<[string] | 0>).flatMap((type, i) => {
			// A mobile pattern that is empty is that of fixed lines.
			if (!type || type[0] === '') return [];
			const [pattern] = type;
			return [{ kind: KINDS[i], pattern, whole: entirely(pattern) }];
		});
	}

	/** The range that has the number; undefined when the number is not valid. */
	rangeOf(national: string): Range | undefined {
		if (!this.lengths.has(national.length) || !this.general.test(national)) return undefined;
		return this.ranges.find(({ whole }) => whole.test(national));
	}

	/** Whether the number is this country's, of those that share its calling code. */
	claims(national: string): boolean {
		return this.leading ? this.leading.test(national) : this.rangeOf(national) !== undefined;
	}

	/** Why a number cannot be one that a subscriber has; undefined when it can, though its range may be unknown. */
	impossible(national: string): 'tooShort' | 'tooLong' | 'wrongLength' | undefined {
		const { length } = national;
		if (length < this.shortest) return 'tooShort';
		if (length > this.longest) return 'tooLong';
		if (!this.lengths.has(length)) return 'wrongLength';
		// Where people's numbers are longer, unknown ones of so few digits are emergency, short and service numbers.
		return length <= SHORT_NUMBER && this.longest > SHORT_NUMBER ? 'tooShort' : undefined;
	}

	/** The number without what is dialed before it inside its country; undefined where it has no such prefix. */
	withoutTrunkPrefix(national: string): string | undefined {
		const found = this.trunkPrefix?.exec(national);
		if (!found || found[0] === '') return undefined;
		if (this.trunkTransform !== undefined && found[found.length - 1] !== undefined)
			return national.replace(this.trunkPrefix!, this.trunkTransform);
		return national.slice(found[0].length);
	}

	/** The kind of a number in a range that the data does not know: special when all known numbers that begin like it are. */
	likelyKind(national: string): SpecialKind | undefined {
		const start = national.slice(0, MOST_LEADING_DIGITS);
		if (this.likely.has(start)) return this.likely.get(start);
		if (this.likely.size >= MOST_STARTS) this.likely.clear();
		const kind = this.kindByStart(start);
		this.likely.set(start, kind);
		return kind;
	}

	private kindByStart(national: string): SpecialKind | undefined {
		for (let digits = MOST_LEADING_DIGITS; digits > 0; digits--) {
			const start = national.slice(0, digits);
			const alike = this.ranges.filter((range) =>
				(range.begun ??= leadingDigits(range.pattern)).test(start),
			);
			if (alike.length > 0)
				return alike.every(({ kind }) => kind !== undefined) ? alike[0]!.kind : undefined;
		}
		return undefined;
	}
}

const SHORT_NUMBER = 6;

const MOST_LEADING_DIGITS = 4;

/** Of unknown ranges, a list has few. */
const MOST_STARTS = 500;

const entirely = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);

/** Compiled when the first number of a calling code is met, and kept: there are as many as calling codes. */
const compiled = new Map<string, readonly Plan[]>();

/** The plans of a calling code, the main country's first; undefined when nobody has the code. */
export function plansOf(callingCode: string): readonly Plan[] | undefined {
	const known = compiled.get(callingCode);
	if (known) return known;
	const data = metadata as unknown as {
		country_calling_codes: Record<string, string[]>;
		countries: Record<string, unknown[]>;
		nonGeographic: Record<string, unknown[]>;
	};
	const isOfCountries = Object.hasOwn(data.country_calling_codes, callingCode);
	if (!isOfCountries && !Object.hasOwn(data.nonGeographic, callingCode)) return undefined;
	const plans = isOfCountries
		? data.country_calling_codes[callingCode]!.map((iso) => new Plan(data.countries[iso]!, iso))
		: [new Plan(data.nonGeographic[callingCode]!, undefined)];
	compiled.set(callingCode, plans);
	return plans;
}
