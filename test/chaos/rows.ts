import type { IDataObject } from 'n8n-workflow';
import type { Chance } from './random';
import type { Settings, Shape } from './shape';

/** A row of a campaign: what its item says, and what is meant by it, whatever the node makes of it. */
export interface Row {
	item: IDataObject;
	/** Tells the row from all others, also in the journal. */
	name: string;
	/** Whom the row is about; undefined: no single phone number can be meant. */
	number: string | undefined;
	/** Of Once for Each; undefined: nothing that tells calls apart. */
	value: string | undefined;
	/** An expression of the row cannot be resolved. */
	isTroubled: boolean;
	/** Why the person must not be called; `unclear`: the row does not say whether they opted out. */
	held: 'no' | 'listed' | 'optedOut' | 'unclear' | 'date';
	/** The API refuses it alone: its prompt needs a variable that the row has not. */
	isIncomplete: boolean;
}

/** What is meant by a row: to be called, not to be called, or nothing that can be called. */
export function kindOf(
	{ number, value, isTroubled, held }: Row,
	{ calledBefore }: Pick<Settings, 'calledBefore'>,
): 'live' | 'held' | 'invalid' {
	const lacksValue = calledBefore === 'onceForEach' && value === undefined;
	if (number === undefined || isTroubled || lacksValue || held === 'unclear') return 'invalid';
	return held === 'no' ? 'live' : 'held';
}

/** What the memory knows a row by. */
export const memoryOf = (
	{ number, value }: Row,
	{ calledBefore }: Pick<Settings, 'calledBefore'>,
): string => (calledBefore === 'onceForEach' ? `${value} ${number}` : `${number}`);

/** Rows in the order of the sheet. The first one of each batch can be called: otherwise there is no campaign, but a message. */
export function rowsOf(chance: Chance, count: number, shape: Shape): Row[] {
	const rows: Row[] = [];
	for (let i = 0; i < count; i++) rows.push(rowOf(chance, i, rows, shape));
	const batch = shape.batchSize || count;
	for (let i = 0; i < count; i += batch) rows[i] = cleanRow(chance, i);
	if (!shape.rules) return rows;
	const firsts = new Set(rows.filter((_row, i) => i % batch === 0).map(({ number }) => number));
	for (let i = 0; i < count; i += batch) hold(chance, rows.slice(i, i + batch), firsts);
	// The list is the same for all rounds of a loop.
	const listed = listedIn(rows);
	for (const row of rows) {
		if (row.held === 'unclear' || !listed.includes(String(row.number))) continue;
		row.held = 'listed';
		row.item.is_listed = true;
	}
	return rows;
}

/** As long as a campaign may last. */
const ALL_DAYS = Array.from({ length: 90 }, (_, day) =>
	new Date(Date.UTC(2031, 4, 1 + day)).toISOString().slice(0, 10),
).join(', ');

/** Keeps some people of one run from being called, but for those of first rows. */
function hold(chance: Chance, rows: readonly Row[], firsts: ReadonlySet<string | undefined>): void {
	for (const row of rows) {
		const { item, number, isTroubled } = row;
		item.opted_out = chance.of(['', 'no', null, false]);
		item.dates = chance.of(['', null]);
		if (number === undefined || isTroubled || firsts.has(number) || !chance.is(0.15)) continue;
		row.held = chance.of(['listed', 'optedOut', 'unclear', 'date'] as const);
		if (row.held === 'listed') item.is_listed = true;
		if (row.held === 'optedOut')
			item.opted_out = chance.of(['yes', 'x', true, 1, 'STOP', '2026-01-02', 'unsubscribed']);
		if (row.held === 'unclear') item.opted_out = chance.of(['perhaps', { a: 1 }, 'ask Bob']);
		if (row.held === 'date') item.dates = ALL_DAYS;
	}
	// A person opts out, not a row.
	const away = rows.filter(({ held }) => held === 'optedOut' || held === 'unclear');
	const people = new Set(away.map(({ number }) => number));
	for (const row of rows)
		if (row.held !== 'unclear' && people.has(row.number)) row.held = 'optedOut';
}

export const listedIn = (rows: readonly Row[]): string[] =>
	rows.flatMap(({ item, number }) => (item.is_listed && number ? [number] : []));

function cleanRow(chance: Chance, i: number): Row {
	const number = phoneOf(chance, i);
	const value = `appointment ${i}`;
	const name = nameOf(chance, i);
	return {
		item: { phone: number, name, amount: i / 2, country: 'DE', value },
		name,
		number,
		value,
		isTroubled: false,
		held: 'no',
		isIncomplete: false,
	};
}

function rowOf(chance: Chance, i: number, before: readonly Row[], shape: Shape): Row {
	const row = cleanRow(chance, i);
	const again = before.length > 0 && chance.is(0.25) ? chance.of(before) : undefined;
	if (again) {
		row.number = again.number;
		row.item.phone = again.item.phone!;
		row.item.country = again.item.country!;
	} else if (chance.is(shape.messy ? 0.5 : 0.04)) {
		Object.assign(row, messyPhone(chance, i, row));
	}
	Object.assign(row, valueOf(chance, row, again));
	if (shape.troubled && chance.is(0.1)) {
		row.item.trouble = true;
		if (shape.troubled === 'onceForEach') row.value = undefined;
		else row.isTroubled = true;
	}
	// With Stop, a request of nothing else ends the run however often it is retried.
	if (!shape.mayStop && shape.variablesFrom === 'json' && chance.is(0.06)) {
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
function messyPhone(chance: Chance, i: number, { item }: Row): Partial<Row> {
	const subscriber = String(((chance.seed % 1_000_000) * 131 + i) % 10_000_000).padStart(7, '0');
	const german = `+49171${subscriber}`;
	const spaced = `171 ${subscriber.slice(0, 3)} ${subscriber.slice(3)}`;
	const international = [
		...[`+49 ${spaced}`, `'${german}`, `+49 (0) ${spaced}`, `0049 ${spaced}`],
		...[`+49\u00a0${spaced}`, `\u202a${german}\u202c`],
	];
	const national = [
		`0${spaced}`,
		`0171/${subscriber}`,
		Number(`171${subscriber}`),
		Number(`49171${subscriber}`),
	];
	const noNumber = [
		...['', null, { phone: german }, [german], 'tomorrow', '2024-01-15'],
		...[`171${subscriber}.0`, `${german} / ${german}`, '#N/A', '{{ $json.phone }}'],
	];
	const kind = chance.of(['international', 'national', 'national', 'none'] as const);
	if (kind === 'international') {
		item.phone = chance.of(international);
		return { number: german };
	}
	if (kind === 'none') {
		item.phone = chance.of(noNumber);
		return { number: undefined };
	}
	item.phone = chance.of(national);
	item.country = chance.of(['DE', '49', 'DE', 49]);
	if (chance.is(0.25)) {
		// The same digits, but another person in another country: nobody may be called with the country of another row.
		const exchange = 200 + (chance.seed % 700);
		item.phone = `212 ${exchange} ${1_000 + i}`;
		item.country = chance.of(['US', '1']);
		return { number: `+1212${exchange}${1_000 + i}` };
	}
	return { number: german };
}

/** Values of Once for Each as they stand in a column: shared, with blanks around them, as numbers, empty, or no text. */
function valueOf(chance: Chance, { item, value: own }: Row, again: Row | undefined): Partial<Row> {
	if (chance.is(0.04)) {
		item.value = chance.of<IDataObject[string]>([{ id: 7 }, [7], true, {}, [], '', '  ', null]);
		return { value: undefined };
	}
	if (chance.is(0.1)) {
		const number = 7_000 + chance.int(0, 2);
		item.value = chance.is(0.5) ? number : ` ${number}`;
		return { value: String(number) };
	}
	const value = (chance.is(0.5) ? again?.value : undefined) ?? own!;
	const blanks = [` ${value}`, `${value}\u200e `, `\t${value.toUpperCase()}\n`];
	item.value = chance.of([value, value, ...blanks]);
	return { value };
}
