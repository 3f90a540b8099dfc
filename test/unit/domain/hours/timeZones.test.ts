import * as carried from '../../../../nodes/OutboundCalls/domain/hours/timeZonePrefixes';
import { timeZonesOf } from '../../../../nodes/OutboundCalls/domain/hours/timeZones';
import { corrections } from '../../../timeZones/corrections';
import { encoded } from '../../../timeZones/encode';
import { libphonenumberTable } from '../../../timeZones/libphonenumber';
import { widenedPrefixes, zoneTable } from '../../../timeZones/table';

const AUSTRALIA = [
	...[
		'Australia/Adelaide',
		'Australia/Brisbane',
		'Australia/Darwin',
		'Australia/Eucla',
		'Australia/Lord_Howe',
		'Australia/Perth',
		'Australia/Sydney',
	],
	...['Indian/Christmas', 'Indian/Cocos'],
];

/** Area codes of +1, each with those that overlay it: nobody chooses which of them a new line gets (numbering plan administrators). */
const OVERLAYS = `
201 551|202 771|203 475|204 431 584|205 659|206 564|208 986|209 350|210 726|212 332 646 917|213 323 738|214 469 945 972|215 267 445|217 447
248 947|250 236 257 672 778|256 938|270 364|281 346 713 832|301 227 240|303 720 983|304 681|305 645 786|306 474 639|309 861|310 424|312 773 872
313 679|314 557|315 680|317 463|318 457|330 234|334 483|336 743|339 781|351 978|402 531|403 368 587 825|404 470 678 770 943|405 572|407 321 689
408 669|410 443 667|412 724 878|415 628|416 437 647 942|418 367 581|419 567|423 729|440 436|450 354 579|480 602 623|503 971|506 428|508 774|510 341
512 737|513 283|514 263 438|516 363|518 838|519 226 382 548|530 837|540 826|541 458|559 357|561 728|570 272|573 235|601 769|604 236 257 672 778
608 353|609 640|610 484 835|613 343 753|614 380|615 629|617 857|618 730|619 858|630 331|631 934|657 714|662 471|702 725|703 571|704 980
705 249 683|706 762|707 369|708 464|709 879|715 534|716 624|717 223|718 347 465 917 929|732 848|740 220|747 818|757 948|760 442|780 368 587 825|787 939
801 385|803 839|804 686|805 820|809 829 849|812 930|813 656|814 582|815 779|816 975|817 682|819 468 873|843 854|845 329|847 224|850 448|860 959
862 973|864 821|876 658|902 782 851|903 430|904 324|905 289 365 742|909 840|910 472|912 565|916 279|918 539|919 984|920 274|937 326|954 754|970 748`
	.trim()
	.split(/[|\n]/)
	.map((each) => each.split(/ (.*)/) as [string, string]);

describe('the zones that a number may be in', () => {
	it.each<[string, string, string[]]>([
		['a country of one zone', '+4930123456', ['Europe/Berlin']],
		['a mobile number there', '+491712345678', ['Europe/Berlin']],
		['an area code of one zone', '+12125550123', ['America/New_York']],
		[
			'an area code of several zones',
			'+12085550123',
			['America/Boise', 'America/Denver', 'America/Los_Angeles'],
		],
		['an area code that libphonenumber does not have', '+12735550123', ['America/Toronto']],
		[
			'an overlay of an area code of two zones',
			'+15815550123',
			['America/Halifax', 'America/Toronto'],
		],
		['a fixed line of a country with several zones', '+61298765432', ['Australia/Sydney']],
		['a mobile number of a country with several zones', '+61412345678', AUSTRALIA],
		['Spain, mobile', '+34612345678', ['Atlantic/Canary', 'Europe/Madrid']],
		['Spain, a fixed line in Madrid', '+34913456789', ['Europe/Madrid']],
		['Indonesia, mobile', '+6281212345678', ['Asia/Jakarta', 'Asia/Jayapura', 'Asia/Makassar']],
		[
			'Kazakhstan, mobile, with the calling code of Russia',
			'+77012345678',
			['Asia/Almaty', 'Asia/Aqtobe'],
		],
		['Russia, a fixed line in Saint Petersburg', '+78121234567', ['Europe/Moscow']],
		['Brazil, mobile, by its area code', '+5511912345678', ['America/Sao_Paulo']],
		[
			'Brazil, an area code of two zones',
			'+5597912345678',
			['America/Manaus', 'America/Rio_Branco'],
		],
		[
			'Brazil, Manaus, which libphonenumber lists for the exceptions alone',
			'+5592991234567',
			['America/Manaus', 'America/Sao_Paulo'],
		],
		[
			'Brazil, Recife, of whose area code only an island is listed',
			'+5581991234567',
			['America/Noronha', 'America/Sao_Paulo'],
		],
		['Orlando, by the code that overlays its first one', '+16895550123', ['America/New_York']],
		[
			'Saskatchewan, in which one town keeps the time of Alberta',
			'+14745550123',
			['America/Edmonton', 'America/Regina'],
		],
		['Saratov, an hour ahead of Moscow', '+78452123456', ['Europe/Samara']],
		[
			'Matamoros, with the summer time of the United States',
			'+528681234567',
			['America/Matamoros', 'America/Mexico_City'],
		],
		[
			'Cairns in Queensland, which has no summer time',
			'+61740511234',
			['Australia/Brisbane', 'Australia/Sydney'],
		],
		[
			'Tijuana, by the code that overlays its first one',
			'+526631234567',
			['America/Mexico_City', 'America/Tijuana'],
		],
		[
			'Northern Cyprus, with a number of Türkiye',
			'+903921234567',
			['Asia/Nicosia', 'Europe/Istanbul'],
		],
		[
			'Ashburton, whose area code is that of the Chatham Islands, too',
			'+6433071234',
			['Pacific/Auckland', 'Pacific/Chatham'],
		],
		['Mexico, mobile, by its area code', '+526641234567', ['America/Tijuana']],
		['Algeria, which has no summer time', '+213551234567', ['Africa/Algiers']],
		['Kaliningrad, which has none either', '+74012123456', ['Europe/Kaliningrad']],
		['nobody’s country', '+8001234567', []],
		['a calling code that is none', '+21012345678', []],
		['only a plus', '+', []],
		['nothing', '', []],
		['no number', '+abc', []],
	])('%s', (_, number, zones) => {
		expect(timeZonesOf(number)).toEqual(zones);
	});

	it.each(OVERLAYS)(
		'+1 %s: those of the area code, also with each one that overlays it (%s)',
		(area, overlays) => {
			for (const overlay of overlays.split(' '))
				expect([overlay, timeZonesOf(`+1${overlay}5550123`)]).toEqual([
					overlay,
					expect.arrayContaining([...timeZonesOf(`+1${area}5550123`)]),
				]);
		},
	);

	it('are those that libphonenumber lists for toll-free numbers of +1', () => {
		expect(timeZonesOf('+18005550123')).toEqual(libphonenumberTable().get('1'));
	});

	it('are all zones of Russia and Kazakhstan for a mobile number of Russia', () => {
		expect(timeZonesOf('+79161234567')).toEqual(
			expect.arrayContaining(['Europe/Kaliningrad', 'Europe/Moscow', 'Asia/Kamchatka']),
		);
	});

	it('come as the same list for numbers of the same prefix, so that verdicts can be kept by it', () => {
		expect(timeZonesOf('+12125550123')).toBe(timeZonesOf('+12125550199'));
		expect(timeZonesOf('+8001234567')).toBe(timeZonesOf('+8001234568'));
	});
});

describe('the table', () => {
	const dropped = (prefix: string): Array<string | undefined> =>
		corrections.flatMap(({ under, where, insteadOfIt }) =>
			insteadOfIt === true && under.some((begin) => prefix.startsWith(begin)) ? [where] : [],
		);

	it('is what the script makes of libphonenumber’s (`npm run data:time-zones`)', () => {
		const trimmed = Object.fromEntries(
			Object.entries(carried).map(([name, text]) => [name, text.trim()]),
		);
		expect(trimmed).toEqual(encoded(zoneTable()));
	});

	it('says of each prefix what went into it', () => {
		for (const [prefix, zones] of zoneTable())
			expect([prefix, timeZonesOf(`+${prefix}`)]).toEqual([prefix, zones]);
	});

	it('lists at least the zones that libphonenumber lists, but for those that are nowhere in the country', () => {
		for (const [prefix, zones] of libphonenumberTable()) {
			const missing = zones.filter(
				(zone) => !timeZonesOf(`+${prefix}`).includes(zone) && !dropped(prefix).includes(zone),
			);
			expect([prefix, missing]).toEqual([prefix, []]);
		}
	});

	it('lists at least the zones that libphonenumber finds for a number, in each area code of Brazil and of +1, but for those', () => {
		const listed = libphonenumberTable();
		const found = (number: string): readonly string[] => {
			for (let end = number.length; end > 1; end--) {
				const zones = listed.get(number.slice(1, end));
				if (zones) return end > 2 || !number.startsWith('+1') ? zones : [];
			}
			return [];
		};
		const digits = (count: number): string[] =>
			Array.from({ length: 10 ** count }, (_, n) => String(n).padStart(count, '0'));
		const areas = [
			...digits(4)
				.filter((area) => area >= '1100')
				.map((area) => `+55${area}`),
			...digits(3)
				.filter((area) => area >= '200')
				.map((area) => `+1${area}`),
		];
		const missing = areas.flatMap((area) => {
			const number = `${area}${'5'.repeat(12 - area.length)}`;
			return found(number)
				.filter(
					(zone) => !timeZonesOf(number).includes(zone) && !dropped(number.slice(1)).includes(zone),
				)
				.map((zone) => `${number} ${zone}`);
		});
		expect(missing).toEqual([]);
	});

	it.each(corrections)('is corrected: $why', ({ under, add }) => {
		for (const prefix of under)
			expect(timeZonesOf(`+${prefix}`)).toEqual(expect.arrayContaining([...add]));
	});

	it('holds zones that this host knows', () => {
		const zones = new Set([...zoneTable().values()].flat());
		expect(zones.size).toBeGreaterThan(280);
		for (const timeZone of zones)
			expect(() => new Intl.DateTimeFormat('en-US', { timeZone })).not.toThrow();
	});
});

it('numbers that belong to no place stand for their whole country', () => {
	const byCallingCode = new Map<string, string[]>();
	for (const prefix of widenedPrefixes()) {
		const code = callingCodes.find((begin) => prefix.startsWith(begin)) ?? 'other';
		byCallingCode.set(code, [...(byCallingCode.get(code) ?? []), prefix.slice(code.length)]);
	}
	expect([...byCallingCode].map(([code, parts]) => `${code}: ${parts.join(' ')}`)).toEqual(WIDENED);
});

const callingCodes = [
	'262',
	'299',
	'34',
	'358',
	'39',
	'44',
	'47',
	'52',
	'55',
	'56',
	'593',
	'599',
	'61',
	'62',
	'64',
	'689',
	'691',
	'7',
	'976',
];

/** Calling code: what its numbers begin with behind it. */
const WIDENED = [
	'262: 63 69 7092 7093 81 82 88 89 9398 9399 9478 9479 9762 9763 9769',
	'299: 2 30 38 39 4 5 80',
	'34: 5 6 7 80 89 90 969 970 973 99',
	'358: 11 12 59 69 89',
	'39: 00 084 087 4 7',
	'44: 3 5 70 71 72 73 74 75 760 762 763 7640 7641 7643 7644 7646 765 766 767 768 7693 7699 77 78 79 8 9',
	'47: 0 4 8 9',
	'52: 30 36 50 51 52 53 54 57 80 85 88 90 94',
	'55: 30 36 39 40 430 431 436 437 438 439 480 481 486 487 488 489 50 80 90',
	'56: 1 2 32 322 323 33 34 35 4 5 6 7 800 801 802 803 804 805 806 807 808 81 82 83 84 85 86 87 88 89 9',
	'593: 20 21 28 29 30 31 38 39 40 41 48 49 50 51 58 59 60 61 68 69 70 71 78 79 9',
	'599: 3 40 410 411 412 413 414 415 416 418 419 42 43 44 45 46 47 48 49 6 70 73 74 76 77 78 79 90 91 92 93 951 952 953 954 955 956 957 958 959 96 99',
	'61: 1 4',
	'62: 007 1 8 80 811 818 819 824 829 831 833 834 839 853 868 876 887',
	'64: 1 20 21 22 23 25 26 27 28 29 5 70 71 76 8 90 91',
	'689: 41 42 43 44 45 46 47 48 490 491 492 493 497 499 88 89',
	'691: 3 32 37 920 921 924 926 933',
	'7: 79 800 803 804 808 809 810 819 9',
	'976: 50 51 52 54 55 57 59 6 7 8 9',
];
