/** Numbers that cost the caller more than a call, or that reach no person: dialed only when somebody asks for them. */
export type SpecialKind =
	| 'premiumRate'
	| 'sharedCost'
	| 'personalNumber'
	| 'pager'
	| 'voicemail'
	| 'satellite'
	| 'globalNetwork';

/** One of them, and several, as sentences name them. */
export const SPECIAL_KINDS: Readonly<Record<SpecialKind, readonly [one: string, several: string]>> =
	{
		premiumRate: ['a premium-rate number', 'premium-rate numbers'],
		sharedCost: ['a shared-cost number', 'shared-cost numbers'],
		personalNumber: [
			'a personal number, which forwards calls at the caller’s cost',
			'personal numbers',
		],
		pager: ['a pager', 'pagers'],
		voicemail: ['a voicemail number', 'voicemail numbers'],
		satellite: ['a satellite phone', 'satellite phones'],
		globalNetwork: [
			'a number of a global network, which costs as much as a satellite phone',
			'numbers of global networks',
		],
	};

/**
 * Calling codes of no country whose numbers are special, whatever the plans know of them. Source: ITU-T, List of
 * Recommendation E.164 assigned country codes. +800 is free to call, +888 serves relief in disasters, and +808 is shared-cost in the plans.
 */
export const SPECIAL_CODES: Readonly<Record<string, SpecialKind>> = {
	'870': 'satellite', // Inmarsat
	'878': 'personalNumber', // Universal Personal Telecommunication
	'881': 'satellite', // Global Mobile Satellite System: Iridium, Globalstar
	'882': 'globalNetwork', // International Networks, among them Thuraya
	'883': 'globalNetwork', // International Networks
	'979': 'premiumRate', // International Premium Rate Service
};

/** Area codes do not begin like one another: the longer ones begin with none of the shorter ones. */
function behindAreaCode(short: RegExp, long: RegExp, service: RegExp): RegExp {
	return new RegExp(
		`^(?:${short.source}|(?!${short.source})(?:${long.source}))(?:${service.source})$`,
	);
}

/** By calling code, what no subscriber has, though the plans find nothing wrong with it, or with its length. */
export const NO_NUMBERS: Readonly<Record<string, RegExp>> = {
	// North America: area codes never begin with 0 or 1, and those that end in 11 are service codes, such as 911 (NANPA).
	'1': /^(?:[01]|.11)/,
	// Germany: 110 and 112 behind an area code. No subscriber's number begins with 11 (Bundesnetzagentur); those of "089 23110" do not.
	'49': behindAreaCode(
		/30|40|69|89|[2-9]\d1|20[2389]|21[24]|228|234|3(?:35|4[05]|55|65|75|85|95)|906/,
		/\d{4}|3[3-9]\d{3}/,
		/11[02]/,
	),
	// Austria: emergency and short numbers behind an area code. No subscriber's number begins with 1 (RTR).
	'43': behindAreaCode(/1|316|463|512|662|732/, /[2-7]\d{3}/, /1(?:1\d|22|33|4[0145])/),
	// South Korea: services, such as 112 and 119, behind an area code.
	'82': behindAreaCode(/2/, /[3-6][1-5]/, /11\d/),
	// Saint Helena: services, as in libphonenumber's data of short numbers; people's numbers are as short.
	'290': /^1/,
};

/**
 * By calling code, ranges of national numbers that Google's data does not have, or no longer, or has as ordinary ones. An unknown number that begins
 * like special ones alone is special without being named here.
 */
export const SPECIAL_RANGES: Readonly<
	Record<string, readonly [leading: RegExp, kind: SpecialKind]>
> = {
	// North America: directory assistance behind each area code, and Canada's 600, which is of satellite phones and the like (NANPA, CNA).
	'1': [/^(?:600|\d{3}5551212)/, 'premiumRate'],
	// Russia: 954 is of satellite phones (Globalstar).
	'7': [/^954/, 'satellite'],
	// Spain: 905 is televoting, the others pay for what is said, today or in old lists (CNMC).
	'34': [/^90[3-9]/, 'premiumRate'],
	// Hungary: 40 is shared-cost (NMHH).
	'36': [/^40/, 'sharedCost'],
	// Romania: 0802 is shared-cost, as 0801 is (ANCOM).
	'40': [/^802/, 'sharedCost'],
	// Germany: 012 is for services of any price; 0190 was premium-rate until 2005 and lives on in old lists (Bundesnetzagentur).
	'49': [/^(?:12|190)/, 'premiumRate'],
	// Argentina: 0810 is shared-cost (ENACOM).
	'54': [/^810/, 'sharedCost'],
	// Chile: 700 is premium-rate (SUBTEL).
	'56': [/^700/, 'premiumRate'],
	// Malaysia: 600 is premium-rate (MCMC).
	'60': [/^600/, 'premiumRate'],
	// Australia: 0145 and 0147 are of satellite phones (ACMA).
	'61': [/^14[57]/, 'satellite'],
	// Indonesia: 0868 is of satellite phones.
	'62': [/^868/, 'satellite'],
	// Philippines: 1900 and 1908 are premium-rate.
	'63': [/^190[08]/, 'premiumRate'],
	// Japan: 0570 is shared-cost, at the caller's expense.
	'81': [/^570/, 'sharedCost'],
	// China: 1349 and 17400 to 17405 are of satellite phones.
	'86': [/^1(?:349|740[0-5])/, 'satellite'],
	// India: 190 is premium-rate (DoT, National Numbering Plan), but for fixed lines of Himachal Pradesh, which go on with 2 to 7.
	'91': [/^190.(?![2-7])/, 'premiumRate'],
	// Nigeria: 0900 is premium-rate.
	'234': [/^900/, 'premiumRate'],
	// Portugal: 707 and 708 are shared-cost (ANACOM).
	'351': [/^70[78]/, 'sharedCost'],
	// Finland: 0100 and 0200 are services that cost what they say (Traficom).
	'358': [/^[12]00/, 'premiumRate'],
	// Lithuania: 90 is premium-rate, of which the data has 900 alone, and 901 for calls over the internet (RRT).
	'370': [/^90(?!1)/, 'premiumRate'],
	// Ukraine: 703 is premium-rate (NCEC).
	'380': [/^703/, 'premiumRate'],
	// Saudi Arabia: 700 is premium-rate (CST).
	'966': [/^700/, 'premiumRate'],
};
