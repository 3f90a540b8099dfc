import type { IDataObject } from 'n8n-workflow';
import { Chance } from './random';
import { uncheck } from './checks';
import type { Shape } from './shape';
import { disguise, disguiseAnswers } from './unseen';

/** A row of a campaign: what its item says, and what is meant by it, whatever the node makes of it. */
export interface Row {
	item: IDataObject;
	/** Tells the row from all others, also in the journal. */
	name: string;
	/** Whom the row is about; undefined: no single phone number can be meant. */
	number: string | undefined;
	/** The number is known only together with the row's country. */
	needsCountry: boolean;
	mode: 'live' | 'dry' | 'neither';
	/** What the memory knows it by: a text, or the number (`undefined`); `unusable`: nothing that tells people apart. */
	key: { text: string | undefined } | 'unusable';
	/** An expression of the row cannot be resolved. */
	isTroubled: boolean;
	/** The step that says whether the person opted out could not work for the row. */
	isUnchecked?: boolean;
	/** Why the person must not be called, whatever else the row says: that holds for the number, a date from its round on. */
	held: 'no' | 'listed' | 'optedOut' | 'date';
	/** The API refuses it alone: its prompt needs a variable that the row has not. */
	isIncomplete: boolean;
}

/** A row that may be called, where the countries of national numbers are read or not. */
export const isCallable = (
	{ number, needsCountry, mode, key, isTroubled, held }: Row,
	countries: boolean,
): boolean =>
	held === 'no' &&
	number !== undefined &&
	(countries || !needsCountry) &&
	mode === 'live' &&
	key !== 'unusable' &&
	!isTroubled;

/** What the memory knows a row by. */
export const memoryOf = ({ key, number }: Row): string =>
	key !== 'unusable' && key.text !== undefined ? `key ${key.text}` : `person ${number}`;

/** Rows in the order of the sheet. The first one of each batch can be called: otherwise there is no campaign, but a message. */
export function rowsOf(chance: Chance, count: number, shape: Shape): Row[] {
	const rows: Row[] = [];
	for (let i = 0; i < count; i++) rows.push(rowOf(chance, i, rows, shape));
	for (let i = 0; i < count; i += shape.batchSize || count)
		rows[i] = { ...cleanRow(chance, i, shape) };
	const strangely = new Chance(chance.seed + 5);
	if (shape.isStrange)
		disguise(strangely, rows, (position) => position % (shape.batchSize || count) === 0);
	if (shape.rules) hold(chance, rows, shape.batchSize);
	if (shape.isStrange) disguiseAnswers(strangely, rows);
	if (shape.rules && shape.check) uncheck(new Chance(chance.seed + 8), rows, shape.check);
	if (shape.hugeCell && rows.length > 1 && shape.batchSize === 0)
		Object.assign(rows.at(-1)!, hugeCell(rows.at(-1)!));
	return rows;
}

/** Keeps some people from being called. The first row stays callable. */
function hold(chance: Chance, rows: readonly Row[], batchSize: number): void {
	const first = rows[0]!;
	const keyOf = ({ key }: Row): string | undefined => (key === 'unusable' ? undefined : key.text);
	const isFirst = (row: Row): boolean =>
		row.number === first.number || (keyOf(row) !== undefined && keyOf(row) === keyOf(first));
	for (const [index, row] of rows.entries()) {
		row.item.opted_out = chance.of(['', 'no', null, false]);
		row.item.dates = index % 2 === 0 ? '' : null;
		if (
			row.number === undefined ||
			isFirst(row) ||
			row.needsCountry ||
			row.isTroubled ||
			!chance.is(0.15)
		)
			continue;
		row.held = chance.of(['listed', 'optedOut', 'date'] as const);
		if (row.held === 'optedOut')
			row.item.opted_out = chance.of(['yes', 'x', true, 1, 'STOP', '2026-01-02', 'unsubscribed']);
		if (row.held === 'date') row.item.dates = TODAY;
	}
	for (const why of ['listed', 'optedOut'] as const) {
		const held = rows.filter((row) => row.held === why);
		const numbers = new Set(held.map(({ number }) => number));
		// A list holds numbers; a person opts out, by whatever they are known.
		const keys = new Set(why === 'optedOut' ? held.map(keyOf) : []);
		keys.delete(undefined);
		for (const row of rows) if (numbers.has(row.number) || keys.has(keyOf(row))) row.held = why;
	}
	// No-call dates are the person's, as far as the rows of this round and of those before say them.
	const roundOf = (index: number): number => (batchSize === 0 ? 0 : Math.floor(index / batchSize));
	const awayFrom = new Map<string, number>();
	const namesOf = (row: Row): string[] =>
		[row.number, keyOf(row)].filter((name) => name !== undefined);
	rows.forEach((row, index) => {
		if (row.item.dates === TODAY)
			for (const name of namesOf(row)) if (!awayFrom.has(name)) awayFrom.set(name, roundOf(index));
	});
	rows.forEach((row, index) => {
		if (
			row.held === 'no' &&
			namesOf(row).some((name) => (awayFrom.get(name) ?? Infinity) <= roundOf(index))
		)
			row.held = 'date';
	});
}

/** Also when the campaign runs over midnight. */
const TODAY = [-1, 0, 1]
	.map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
	.join(', ');

/** Combining marks of one letter: to bring them into order takes time that grows with the square of their number. */
const MARKS = `a${'\u0315\u0300'.repeat(120_000)}`;

const hugeCell = ({ item }: Row): Partial<Row> => ({
	item: { ...item, phone: MARKS },
	number: undefined,
});

function cleanRow(chance: Chance, i: number, { key }: Shape): Row {
	const number = phoneOf(chance, i);
	const text =
		key === 'number'
			? undefined
			: key === 'perNumber'
				? `spring ${number}`
				: key === 'perRow'
					? `order ${nameOf(chance, i)}`
					: `K${i}`;
	return {
		item: {
			phone: number,
			name: nameOf(chance, i),
			amount: i / 2,
			country: 'DE',
			mode: 'live',
			...(key === 'column' ? { key: text } : {}),
		},
		name: nameOf(chance, i),
		number,
		needsCountry: false,
		mode: 'live',
		key: { text },
		isTroubled: false,
		held: 'no',
		isIncomplete: false,
	};
}

/** Cells of a column for Mode, and what they mean: spaces and capitals do not matter. */
const MODES: Array<[IDataObject[string], Row['mode']]> = [
	['dryRun', 'dry'],
	[' DRYRUN', 'dry'],
	['Live', 'live'],
	['live ', 'live'],
	['', 'neither'],
	[null, 'neither'],
	[['live'], 'neither'],
];

function rowOf(chance: Chance, i: number, before: readonly Row[], shape: Shape): Row {
	const row = cleanRow(chance, i, shape);
	const again = before.length > 0 && chance.is(0.12) ? chance.of(before) : undefined;
	if (again) {
		row.number = again.number;
		row.needsCountry = again.needsCountry;
		row.item.phone = again.item.phone!;
		row.item.country = again.item.country!;
	} else if (chance.is(shape.messy ? 0.5 : 0.04)) {
		Object.assign(row, messyPhone(chance, i, row, shape));
	}
	if (shape.key === 'perNumber') row.key = { text: `spring ${row.number}` };
	if (shape.key === 'column') Object.assign(row, messyKey(chance, row, before));
	if (shape.modes && chance.is(0.3)) {
		const [cell, mode] = chance.of(MODES);
		row.item.mode = cell;
		row.mode = mode;
	}
	if (shape.troubled && chance.is(0.1)) {
		row.item.trouble = true;
		row.isTroubled = true;
	}
	// With Stop, a request of nothing else ends the run however often it is retried.
	if (!shape.mayStop && (!shape.byItem || shape.variablesFrom === 'json') && chance.is(0.06)) {
		delete row.item.amount;
		row.isIncomplete = true;
	}
	return row;
}

/** Names and numbers of its own, so that requests of an earlier campaign that are still under way do not count here. */
const nameOf = ({ seed }: Chance, i: number): string => `Person ${seed}-${i}`;
const phoneOf = ({ seed }: Chance, i: number): string =>
	`+8613${String(seed % 10_000).padStart(4, '0')}${10_000 + i}`;

/** Cells as people write them, with the number that they mean. */
function messyPhone(chance: Chance, i: number, { item }: Row, { byItem }: Shape): Partial<Row> {
	const subscriber = String(((chance.seed % 1_000_000) * 131 + i) % 10_000_000).padStart(7, '0');
	const german = `+49171${subscriber}`;
	const spaced = `171 ${subscriber.slice(0, 3)} ${subscriber.slice(3)}`;
	const international = [
		`+49 ${spaced}`,
		` ${german} `,
		`'${german}`,
		`+49-171-${subscriber}`,
		`+49 (0) ${spaced}`,
		`0049 ${spaced}`,
		`+49\u00a0${spaced}`,
	];
	const national = [
		`0${spaced}`,
		`'0171${subscriber}`,
		`0171/${subscriber}`,
		Number(`171${subscriber}`),
		Number(`49171${subscriber}`),
	];
	const noNumber = [
		'',
		'   ',
		null,
		true,
		{ phone: german },
		[german],
		'tomorrow',
		'15.01.2024',
		'2024-01-15',
		`171${subscriber}.0`,
		`${german} / ${german}`,
		'1.7e9',
	];
	const kind = chance.of(
		byItem ? ['international', 'national', 'national', 'none'] : ['international', 'none'],
	);
	if (kind === 'international') {
		item.phone = chance.of(international);
		return { number: german };
	}
	if (kind === 'none') {
		item.phone = byItem ? chance.of(noNumber) : 'tomorrow';
		return { number: undefined };
	}
	item.phone = chance.of(national);
	item.country = chance.of(['DE', '49', 'DE', 49]);
	if (chance.is(0.25)) {
		// The same digits, but another person in another country: nobody may be called with the country of another row.
		const exchange = 200 + (chance.seed % 700);
		item.phone = `212 ${exchange} ${1_000 + i}`;
		item.country = chance.of(['US', '1']);
		return { number: `+1212${exchange}${1_000 + i}`, needsCountry: true };
	}
	return { number: german, needsCountry: true };
}

/** Keys as they stand in a column: shared, with blanks around them, as numbers, empty, or nothing that is a key. */
function messyKey(chance: Chance, { item, key }: Row, before: readonly Row[]): Partial<Row> {
	const own = key === 'unusable' ? undefined : key.text;
	const shared = before.length > 0 && chance.is(0.3) ? chance.of(before).key : { text: own };
	const text = shared === 'unusable' ? own : (shared.text ?? own);
	if (chance.is(0.12)) {
		item.key = chance.of<IDataObject | Array<string | undefined> | boolean>([
			{ id: text },
			[text],
			true,
			false,
			{},
			[],
		]);
		return { key: 'unusable' };
	}
	if (chance.is(0.12)) {
		item.key = chance.of(['', '  ', null]);
		return { key: { text: undefined } };
	}
	if (chance.is(0.1)) {
		const number = 7_000 + chance.int(0, 2);
		item.key = chance.is(0.5) ? number : ` ${number}`;
		return { key: { text: String(number) } };
	}
	item.key = chance.of([text, text, ` ${text}`, `${text} `, `\t${text}\n`]);
	return { key: { text } };
}
