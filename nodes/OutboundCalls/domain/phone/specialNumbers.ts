/**
 * Numbers that cost the caller more than a call, or that reach no person: dialed only on request.
 */
export type SpecialKind =
	| 'premiumRate'
	| 'sharedCost'
	| 'personalNumber'
	| 'pager'
	| 'voicemail'
	| 'satellite'
	| 'globalNetwork';

/** A reason names the kinds with these words. */
export const SPECIAL_KINDS: Readonly<Record<SpecialKind, string>> = {
	premiumRate: 'premium rate',
	sharedCost: 'shared cost',
	personalNumber: 'personal number',
	pager: 'pager',
	voicemail: 'voicemail',
	satellite: 'satellite phone',
	globalNetwork: 'global network',
};

/**
 * Calling code, kind, national numbers: codes of no country (ITU-T, List of Recommendation E.164
 * assigned country codes), and the best-known ranges that Google's plans do not have, or have as
 * ordinary ones (the regulators' numbering plans). "never" are emergency and service numbers that
 * the plans find possible.
 *
 * 1: area codes never begin with 0 or 1 nor end in 11 (911); directory assistance; Canada's 600.
 * 49: 110 and 112 after an area code; 012, and 0190 until 2005. 43: short numbers after an area
 * code. 82: services after an area code. 290: services.
 */
const TABLE = String.raw`
870 satellite
878 personalNumber
881 satellite
882 globalNetwork
883 globalNetwork
979 premiumRate
1 never [01]|.11
1 premiumRate 600|\d{3}5551212
7 satellite 954
32 sharedCost 70
34 premiumRate 90[3-9]
36 sharedCost 40
39 premiumRate 0878|178|89
40 sharedCost 802
43 never (?:(?:1|316|463|512|662|732)|(?!1|316|463|512|662|732)[2-7]\d{3})1(?:1\d|22|33|4[0145])$
49 never (?:(?:30|40|69|89|[2-9]\d1|20[2389]|21[24]|228|234|3(?:35|4[05]|55|65|75|85|95)|906)|(?!30|40|69|89|[2-9]\d1|20[2389]|21[24]|228|234|3(?:35|4[05]|55|65|75|85|95)|906)(?:\d{4}|3[3-9]\d{3}))11[02]$
49 premiumRate 12|190|900
54 sharedCost 810
56 premiumRate 700
60 premiumRate 600
61 premiumRate 190
61 satellite 14[57]
62 satellite 868
63 premiumRate 190[08]
81 sharedCost 570
81 premiumRate 990
82 never (?:2|[3-6][1-5])11\d$
82 premiumRate 60
86 satellite 1(?:349|740[0-5])
91 premiumRate 190.(?![2-7])
234 premiumRate 900
290 never 1
351 sharedCost 70[78]
351 premiumRate 76
354 premiumRate 90
358 premiumRate [12]00
370 premiumRate 90(?!1)
372 premiumRate 90
380 premiumRate 703|900
598 premiumRate 90
886 premiumRate 20[34]
966 premiumRate 700
`;

interface Range {
	callingCode: string;
	kind: SpecialKind | 'never';
	pattern: RegExp;
}

const RANGES: readonly Range[] = TABLE.trim()
	.split('\n')
	.map((line) => {
		const [callingCode, kind, pattern = ''] = line.split(' ') as [string, Range['kind'], string?];
		return { callingCode, kind, pattern: new RegExp(`^(?:${pattern})`) };
	});

/** What the table says of a national number: undefined if nothing. */
export const rangeOf = (callingCode: string, national: string): Range['kind'] | undefined =>
	RANGES.find((range) => range.callingCode === callingCode && range.pattern.test(national))?.kind;
