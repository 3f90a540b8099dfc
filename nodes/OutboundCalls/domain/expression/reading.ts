import { ENTRIES, type Path } from './path';
import { partsOf, type Tree, treesOf } from './tree';

/** A column that a stored parameter takes. */
export interface Column {
	/** Undefined: the one whose items are the rows. */
	step: string | undefined;
	/** Of which items: of the one that the row comes from, of the one at the same place as the row (`$node`), of one for all rows, or of each in a list. */
	takes: 'ofRow' | 'samePlace' | 'one' | 'each';
	path: Path;
}

/** What a stored parameter takes from the steps before the node. */
export interface Reading {
	/** The steps that it names. */
	steps: ReadonlySet<string>;
	/** The steps of which it takes all items: `$('Opted out').all()`. Undefined: the one whose items are the rows. */
	lists: ReadonlySet<string | undefined>;
	columns: readonly Column[];
	/**
	 * The columns without which it says something else than it is meant to, such as no for everybody: `$json.stauts === 'stop'`. Of several in one list, one
	 * serves for another: `$json.opted_out || $json.dnc`.
	 */
	needed: ReadonlyArray<readonly Column[]>;
}

/** What a stored parameter takes; nothing, if it is no expression. Follows names that it gives to values, and functions that it hands to a list. */
export function readingOf(parameter: unknown): Reading {
	const tracer = new Tracer();
	const needed = treesOf(parameter)
		.flatMap((tree) => tracer.use(tree, new Map(GIVEN)).needs)
		.filter(({ length }) => length > 0);
	return { steps: tracer.steps, lists: tracer.lists, columns: [...tracer.columns.values()], needed };
}

/** What can be followed to its columns. */
type Value =
	| { is: 'steps' }
	| { is: 'step'; step: string | undefined }
	| { is: 'item'; step: string | undefined; takes: Column['takes']; isFound?: boolean }
	/** Found: among those that were filtered for the row, so that it is the row's at any place. */
	| ({ is: 'fields'; isFound?: boolean } & Column)
	| { is: 'list'; of: Value | undefined };

/** What names stand for that the expression gives. It is read in its order, so that one for all functions in it will do. */
type Names = Map<string, Value | undefined>;

/** The names that n8n gives. */
const GIVEN: ReadonlyArray<readonly [string, Value]> = [
	['$json', { is: 'fields', step: undefined, takes: 'ofRow', path: [] }],
	['$input', { is: 'step', step: undefined }],
	['$node', { is: 'steps' }],
];

interface Meaning {
	value?: Value | undefined;
	/** A column, as it is or by a method; what is asked of one ("includes"); what takes no column; all else. */
	kind: 'column' | 'question' | 'constant' | 'other';
	needs: ReadonlyArray<readonly Column[]>;
}

const CONSTANT: Meaning = { kind: 'constant', needs: [] };

const QUESTION = /^(?:includes|startsWith|endsWith|match|some|every)$/;
/** Methods of lists. These give a list of its entries; one entry at a place, or that is looked up; and what a function makes of each. */
const SAME_ENTRIES = /^(?:filter|slice|sort|reverse|concat|toSorted|toReversed|compact|unique|removeDuplicates)$/;
const ENTRY_AT_PLACE = /^(?:at|pop|shift|first|last)$/;
const ENTRY_LOOKED_UP = /^(?:find|findLast)$/;
const MADE_OF_ENTRIES = /^(?:map|flatMap|pluck)$/;

const nameIn = ({ name }: { name: Tree }): string | number | undefined => (name.is === 'literal' ? name.value : undefined);

function entryOf(value: Value | undefined): Value | undefined {
	if (value?.is === 'list') return value.of;
	return value?.is === 'fields' ? { ...value, takes: 'each', path: [...value.path, ENTRIES] } : undefined;
}

/** What stands there, or another in its place, a list or one; it is no column by itself. */
const orOther = (value: Value | undefined): Value | undefined => (value?.is === 'fields' ? { ...value, path: [...value.path, ENTRIES] } : value);

const firstOf = (all: readonly Meaning[]): Value | undefined => all.find(({ value }) => value)?.value;

/** `pluck('phone')` is `map((entry) => entry.phone)` (n8n behaviour). */
function plucking(name: Tree): Tree {
	const of: Tree = { is: 'name', name: '' };
	return { is: 'function', takes: [of], gives: { is: 'member', of, name } };
}

class Tracer {
	readonly steps = new Set<string>();
	readonly lists = new Set<string | undefined>();
	readonly columns = new Map<string, Column>();

	/** What a tree means where its value is used. */
	use(tree: Tree, names: Names): Meaning {
		return this.used(this.read(tree, names));
	}

	private used(meaning: Meaning): Meaning {
		const { value } = meaning;
		if (value?.is !== 'fields' || value.path.length === 0 || value.path.at(-1) === ENTRIES) return meaning;
		const { step, takes, path } = value;
		const key = JSON.stringify([step, takes, path]);
		const column = this.columns.get(key) ?? { step, takes, path };
		this.columns.set(key, column);
		return { ...meaning, needs: [...meaning.needs, [column]] };
	}

	private read(tree: Tree, names: Names): Meaning {
		switch (tree.is) {
			case 'literal':
				return CONSTANT;
			case 'name': {
				const value = names.get(tree.name);
				return value ? { value, kind: value.is === 'fields' ? 'column' : 'other', needs: [] } : CONSTANT;
			}
			case 'member':
				return this.member(tree, names);
			case 'call':
				return this.call(tree, names);
			case 'function':
				return this.function(tree, [], names);
			case 'bound': {
				const { value, needs } = this.read(tree.value, names);
				this.bind(tree.to, tree.isEach ? entryOf(value) : value, names);
				// `seen[item.json.phone] = true`
				return { kind: 'other', needs: tree.to.is === 'member' ? [...needs, ...this.use(tree.to.name, names).needs] : needs };
			}
			case 'either':
				return this.either(operandsOf(tree.of), names);
			case 'choice':
				return this.choice(tree, names);
			case 'braces':
				return this.together(partsOf(tree).map((each) => this.use(each, names)));
			case 'parts': {
				const all = tree.of.map((each) => this.use(each, names));
				// `[...$('A').all()]`
				return { ...this.together(all), value: { is: 'list', of: entryOf(firstOf(all)) } };
			}
		}
	}

	private together(all: readonly Meaning[]): Meaning {
		return { kind: all.every(({ kind }) => kind === 'constant') ? 'constant' : 'other', needs: all.flatMap(({ needs }) => needs) };
	}

	private member(tree: Tree & { is: 'member' }, names: Names): Meaning {
		const of = this.read(tree.of, names);
		const name = nameIn(tree);
		const value = of.value && this.valueAt(of.value, name ?? tree.name);
		if (value) return { ...of, value, kind: value.is === 'fields' ? 'column' : 'other' };
		const whole = this.used(of);
		if (name !== undefined) return { kind: whole.kind, needs: whole.needs };
		return this.together([whole, this.use(tree.name, names)]);
	}

	/** Undefined where it cannot be followed. */
	private valueAt(value: Value, name: string | number | Tree): Value | undefined {
		const isDynamic = typeof name === 'object';
		switch (value.is) {
			case 'steps':
				return typeof name === 'string' ? { is: 'item', step: this.step(name), takes: 'samePlace' } : undefined;
			case 'step':
				return name === 'item' ? { ...value, is: 'item', takes: 'ofRow' } : undefined;
			case 'item':
				return name === 'json' ? { ...value, is: 'fields', path: [] } : undefined;
			case 'fields':
				return isDynamic || (name === 'length' && value.path.at(-1) === ENTRIES) ? undefined : { ...value, path: [...value.path, name] };
			case 'list': {
				const { of } = value;
				if (of?.is !== 'item' && of?.is !== 'fields') return undefined;
				if (typeof name === 'number') return of.isFound ? of : { ...of, takes: 'one' };
				return isDynamic ? { ...of, takes: name.is === 'name' && name.name === '$itemIndex' ? 'samePlace' : 'each' } : undefined;
			}
		}
	}

	private step(name: string): string {
		this.steps.add(name);
		return name;
	}

	private listOf(step: string | undefined): Value {
		this.lists.add(step);
		return { is: 'list', of: { is: 'item', step, takes: 'each' } };
	}

	private call({ of, given }: Tree & { is: 'call' }, names: Names): Meaning {
		if (of.is === 'member') return this.method(of, given, names);
		if (of.is === 'function') {
			const all = given.map((each) => this.use(each, names));
			const made = this.function(
				of,
				all.map(({ value }) => value),
				names,
			);
			return { ...made, needs: [...all.flatMap(({ needs }) => needs), ...made.needs] };
		}
		const [first] = given;
		const text = first?.is === 'literal' && typeof first.value === 'string' ? first.value : undefined;
		const name = of.is === 'name' ? of.name : undefined;
		if (name === '$' && text !== undefined) return { value: { is: 'step', step: this.step(text) }, kind: 'other', needs: [] };
		if (name === '$items' && (text !== undefined || !first)) return { value: this.listOf(text && this.step(text)), kind: 'other', needs: [] };
		// It gives the second where the first is empty (n8n behaviour).
		if (name === '$ifEmpty' && given.length === 2) return this.either(given, names);
		return this.together([of, ...given].map((each) => this.use(each, names)));
	}

	private method(of: Tree & { is: 'member' }, given: readonly Tree[], names: Names): Meaning {
		const receiver = this.read(of.of, names);
		const name = String(nameIn(of));
		if (receiver.value?.is === 'step') return { value: this.ofStep(receiver.value.step, name, given), kind: 'other', needs: [] };
		const whole = this.used(receiver);
		const entry = entryOf(receiver.value);
		// What `reduce` has gathered so far is none.
		const taken = [name === 'reduce' ? undefined : entry, entry, entry];
		const asked = name === 'pluck' ? given.map(plucking) : given;
		const all = asked.map((each) => (each.is === 'function' ? this.function(each, taken, names) : this.use(each, names)));
		const { kind } = this.together(all);
		return {
			value: of.of.is === 'name' && of.of.name === 'Array' ? all[0]?.value : this.ofList(receiver.value, name, all[0]),
			kind: kind === 'constant' ? (whole.kind === 'column' && QUESTION.test(name) ? 'question' : whole.kind) : 'other',
			needs: [whole, ...all].flatMap(({ needs }) => needs),
		};
	}

	/** `made`: what a function makes of each entry. */
	private ofList(list: Value | undefined, method: string, made: Meaning | undefined): Value | undefined {
		const entry = entryOf(list);
		if (method === 'filter' && (entry?.is === 'item' || entry?.is === 'fields') && made?.needs.flat().some(({ takes }) => takes === 'ofRow'))
			return { is: 'list', of: { ...entry, isFound: true } };
		if (SAME_ENTRIES.test(method)) return list;
		if (method === 'flat') return { is: 'list', of: orOther(entry) };
		if (ENTRY_AT_PLACE.test(method)) return list && this.valueAt(list, 0);
		if (ENTRY_LOOKED_UP.test(method)) return entry;
		if (!MADE_OF_ENTRIES.test(method)) return undefined;
		return { is: 'list', of: method === 'flatMap' ? entryOf(made?.value) : made?.value };
	}

	private ofStep(step: string | undefined, method: string, [first]: readonly Tree[]): Value | undefined {
		switch (method) {
			case 'all':
				return this.listOf(step);
			case 'first':
			case 'last':
				return { is: 'item', step, takes: 'one' };
			case 'itemMatching':
			case 'pairedItem':
				return { is: 'item', step, takes: first?.is === 'literal' ? 'one' : 'ofRow' };
			default:
				return undefined;
		}
	}

	/** `given`: what its parameters are. */
	private function({ takes, gives }: Tree & { is: 'function' }, given: ReadonlyArray<Value | undefined>, names: Names): Meaning {
		takes.forEach((each, place) => this.bind(each, given[place], names));
		if (gives.is !== 'braces') return this.use(gives, names);
		const all = partsOf(gives).map((each) => this.use(each, names));
		// Of statements, the last one says what it gives: `return phone`.
		return { ...this.together(all), value: all.at(-1)?.value };
	}

	private bind(to: Tree, value: Value | undefined, names: Names): void {
		if (to.is === 'name') names.set(to.name, value);
		else if (to.is === 'bound') this.bind(to.to, value, names);
		else if (to.is === 'braces')
			for (const [key, each] of to.entries) this.bind(each, value && key !== undefined ? this.valueAt(value, key) : undefined, names);
	}

	/**
	 * A constant stands in for what is before it; a column, for the columns before it, unless something is asked of one. Empty text, for an empty cell of a list
	 * alone: a list whose every entry lacks the column names nobody.
	 */
	private either(operands: readonly Tree[], names: Names, all = operands.map((each) => this.use(each, names))): Meaning {
		const needs: Array<readonly Column[]> = [];
		let open: ReadonlyArray<readonly Column[]> = [];
		let last: Meaning['kind'] | undefined;
		all.forEach(({ kind, needs: own }, place) => {
			const isAlso = kind === 'column' && last === 'column';
			const isEmptyText = nameIn({ name: operands[place]! }) === '';
			if (kind !== 'constant') needs.push(...(isAlso ? [] : open));
			else if (isEmptyText) needs.push(...open.filter(([column]) => column?.takes === 'each'));
			// What a column was looked up by is needed, whatever stands in for the column.
			if (kind !== 'question') needs.push(...(kind === 'column' ? own.slice(0, -1) : own));
			open = kind === 'column' ? [[...new Set([...(isAlso ? open : []), ...own.slice(-1)].flat())]] : kind === 'question' ? own : [];
			last = kind;
		});
		const kinds = new Set(all.map(({ kind }) => kind));
		return { value: orOther(firstOf(all)), kind: kinds.size === 1 ? last! : 'other', needs: [...needs, ...open] };
	}

	private choice({ asks, then, otherwise }: Tree & { is: 'choice' }, names: Names): Meaning {
		const all = [asks, then, otherwise].map((each) => this.use(each, names));
		const [asked, chosen] = all.map(({ kind, needs }) => (kind === 'column' ? JSON.stringify(needs.at(-1)) : undefined));
		// `a ? a : b`
		if (asked !== undefined && asked === chosen) return this.either([then, otherwise], names, all.slice(1));
		return { ...this.together(all), value: orOther(firstOf(all.slice(1))) };
	}
}

const operandsOf = ([left, right]: readonly [Tree, Tree]): Tree[] => [...(left.is === 'either' ? operandsOf(left.of) : [left]), right];
