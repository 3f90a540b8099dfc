import { partsOf, type Tree, treesOf } from './tree';

/**
 * What has become of the time of the run: nothing that tells its minute; a date of Luxon, or of JavaScript; a text of it, named by what may stand behind its day;
 * such a text, taken apart; anything else. `luxon`: what makes dates.
 */
type Kind = '' | 'time' | 'date' | 'luxon' | 'T' | ', ' | 'split' | 'any';

/** Names of what lasts an hour or longer, as a part, a unit or a method: `weekNumber`, `hours`, `toISODate`, `getUTCFullYear`. */
const HOUR =
	/^(?:get(?:UTC)?(?:Full)?|to(?:ISO|SQL)?)?(?:year|month|date(?!T)|day|week|quarter|ordinal|hour)/i;

const nameOf = (tree: Tree | undefined): string =>
	tree?.is === 'literal' ? String(tree.value) : '';

/** Whether a stored parameter tells the minute of the run, or may: what is asked of its time is none of what is known to last an hour. */
export function mayTellMinute(parameter: unknown, inside?: readonly unknown[]): boolean {
	const names = new Map<string, Kind>([
		['$now', 'time'],
		['Date', 'date'],
		['DateTime', 'luxon'],
	]);
	const anyOf = (trees: readonly Tree[]): Kind => (trees.map(kindOf).some(Boolean) ? 'any' : '');
	const kindOf = (tree: Tree): Kind => {
		if (tree.is === 'name') return names.get(tree.name) ?? '';
		if (tree.is === 'bound' && tree.to.is === 'name') {
			const kind = kindOf(tree.value);
			if (kind) names.set(tree.to.name, kind);
			return '';
		}
		const [asked, given] = tree.is === 'call' ? [tree.of, tree.given] : [tree, []];
		if (asked.is === 'member' && asked.of.is === 'name' && asked.of.name === 'Date')
			return nameOf(asked.name) === 'now' ? 'any' : anyOf(given);
		if (asked.is === 'member')
			return answer(kindOf(asked.of), nameOf(asked.name), given, anyOf([asked.name, ...given]));
		if (asked.is === 'name' && asked.name === 'Date')
			return given.length === 0 || anyOf(given) ? 'date' : '';
		return anyOf(partsOf(tree));
	};
	return anyOf(treesOf(parameter, inside)) !== '';
}

/** What that is which is asked of one. */
function answer(kind: Kind, name: string, given: readonly Tree[], kindGiven: Kind): Kind {
	const [first, second] = given.map(nameOf);
	if (kind === 'luxon')
		return kindGiven || (/^(?:now|local|utc)$/.test(name) && given.length < 2) ? 'time' : '';
	if (!kind || kindGiven) return kindGiven;
	if (kind === 'T' || kind === ', ') {
		if (name === 'split' && first && kind.includes(first)) return 'split';
		return /^(?:slice|substring|substr)$/.test(name) &&
			Number(first || 99) + Number(second || 99) < 14
			? ''
			: 'any';
	}
	if (kind === 'split' && name === '0') return '';
	if (kind !== 'time' && kind !== 'date') return 'any';
	if (/^(?:plus|minus|set(?:Zone|Locale)?|to(?:UTC|Local))$/.test(name)) return kind;
	if (/^to(?:ISO(?:String)?|JSON)$/.test(name)) return 'T';
	// The whole text of JavaScript's date has the time of day in it; of Luxon's, it has not.
	if (name === 'toString') return kind === 'time' ? 'T' : ', ';
	const options = JSON.stringify(given);
	if (/^toLocale(?:Date)?String$/.test(name))
		return !/minute|second|TIME|meStyle/.test(options) &&
			(kind === 'time' || /D/.test(name) || /day|month|year|dateS/.test(options))
			? ''
			: ', ';
	// Minutes and what is finer, alone or with a date (Luxon). Text between quotes is no part of the time.
	if (/^(?:toF|f)ormat$/.test(name))
		return first && !/[msSutTfFxX]/.test(first.replace(/'[^']*'/g, '')) ? '' : 'any';
	return HOUR.test(
		/^(?:start|end|beginning)Of|^extract$|^get$/.test(name) ? (first ?? 'day') : name,
	)
		? ''
		: 'any';
}
