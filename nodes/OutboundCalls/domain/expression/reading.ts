import { BESIDE_JSON, ENTRIES, isChosenBy, type Path, PLAIN } from './path';
import { partsOf, textOfTree, type Tree, treesOf } from './tree';
import {
	type Column,
	ENTRY_AT_PLACE,
	entryOf,
	GIVEN,
	givenByList,
	givenByStep,
	isOfRow,
	isNameOfPlace,
	isOfEntries,
	itemsOf,
	memberOf,
	type Names,
	orOther,
	type Value,
} from './values';

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
	/** What it asks of columns as they stand. */
	asked: readonly Asked[];
}

/** What an expression asks of a column as it stands, with nothing done to it before. */
export interface Asked extends Column {
	/** A text, a number or `true` that it is compared to, or that is to be a part of it. Undefined: whether there is something, `!$json.consent`. */
	word?: string | number | boolean | undefined;
	isPart?: boolean;
	/** By `==`. */
	isLoose?: boolean;
	/** As the name of a property, which is text. */
	isName?: boolean;
}

/** What a stored parameter takes; nothing, if it is no expression. Follows names that it gives to values, and functions that it hands to a list. `inside`: a property of what it makes. */
export function readingOf(parameter: unknown, inside?: Path): Reading {
	if (typeof parameter !== 'string' || parameter.length > LONGEST_KEPT)
		return traced(parameter, inside);
	const name = JSON.stringify([parameter, inside]);
	const known = read.get(name) ?? traced(parameter, inside);
	if (read.size >= MOST_READ) read.clear();
	read.set(name, known);
	return known;
}

/** A run asks for the same few again and again. */
const read = new Map<string, Reading>();
const MOST_READ = 100;
const LONGEST_KEPT = 2_000;

function traced(parameter: unknown, inside: Path | undefined): Reading {
	const tracer = new Tracer();
	const trees = treesOf(parameter, inside);
	const needed = new Map<string, readonly Column[]>();
	// Whether there is something may be asked before more is: `$json.a ? $json.a.trim() : ''`.
	const isAlone = (asked: Asked): boolean =>
		asked.word !== undefined || !tracer.valued.has(keyOf(asked));
	for (
		tracer.joined = 0;
		tracer.joined < Math.max(tracer.mostLists, tracer.mostCells);
		tracer.joined++
	)
		for (const each of trees.flatMap((tree) => tracer.use(tree, new Map(GIVEN)).needs))
			if (each.length > 0 && tracer.joined < tracer.mostLists)
				needed.set(JSON.stringify(each), each);
	return {
		steps: tracer.steps,
		lists: tracer.lists,
		columns: [...tracer.columns.values()],
		needed: [...needed.values()],
		asked: [...tracer.asked.values()].filter(isAlone),
	};
}

interface Meaning {
	value?: Value | undefined;
	/** A column, as it is or by a method; what is asked of one ("includes"); what takes no column; all else. */
	kind: 'column' | 'question' | 'constant' | 'other';
	needs: ReadonlyArray<readonly Column[]>;
}

const keyOf = ({ step, takes, at, path }: Column): string =>
	JSON.stringify([step, takes, at, path]);

const CONSTANT: Meaning = { kind: 'constant', needs: [] };

const QUESTION = /^(?:includes|startsWith|endsWith|match|some|every)$/;
const nameIn = ({ name }: { name: Tree }): string | number | undefined =>
	name.is === 'literal' ? name.value : undefined;

/** `''`, `[]` */
const isNothing = (tree: Tree): boolean =>
	tree.is === 'parts' ? tree.of.length === 0 : nameIn({ name: tree }) === '';

const firstOf = (all: readonly Meaning[]): Value | undefined =>
	all.find(({ value }) => value)?.value;

/** `pluck('phone')` is `map((entry) => entry.phone)` (n8n behaviour). */
function plucking(name: Tree): Tree {
	const of: Tree = { is: 'name', name: '' };
	return { is: 'function', takes: [of], gives: { is: 'member', of, name } };
}

class Tracer {
	readonly steps = new Set<string>();
	readonly lists = new Set<string | undefined>();
	readonly columns = new Map<string, Column>();
	readonly asked = new Map<string, Asked>();
	/** Columns that are used for more than to ask whether they hold something, or to stand in a list. */
	readonly valued = new Set<string>();
	private readonly questions = new Set<Tree>();
	private isAsking = false;
	private isQuestion = false;
	/** Of lists that are joined, each is read by itself: the first ones, then the second ones. So are cells of the row: one serves for what the others lack. */
	joined = 0;
	mostLists = 1;
	mostCells = 1;

	/** What a tree means where its value is used. */
	use(tree: Tree, names: Names): Meaning {
		const read = this.read(tree, names);
		this.isQuestion = this.questions.has(tree);
		const meaning = this.used(read);
		this.isQuestion = false;
		return meaning;
	}

	/** `a`, `a && b`, `!a`: whether there is something. */
	private question(tree: Tree, names: Names): void {
		if (tree.is === 'either' || (tree.is === 'parts' && tree.isBoth))
			for (const each of tree.of) this.question(each, names);
		else if (isAsItStands(tree)) {
			this.questions.add(tree);
			this.ask(tree, names);
		}
	}

	private used(meaning: Meaning): Meaning {
		const { value } = meaning;
		if (value?.is !== 'fields') return meaning;
		const { step, takes, at } = value;
		// `contacts.filter(…)` is the list itself.
		const path = [...value.path];
		while (isChosenBy(path.at(-1))) path.pop();
		if (path.length === 0 || path.at(-1) === ENTRIES) return meaning;
		const key = keyOf({ step, takes, at, path });
		const column = this.columns.get(key) ?? { step, takes, at, path };
		this.columns.set(key, column);
		if (!this.isQuestion) this.valued.add(key);
		return { ...meaning, needs: [...meaning.needs, [column]] };
	}

	private read(tree: Tree, names: Names): Meaning {
		switch (tree.is) {
			case 'literal':
				return CONSTANT;
			case 'name': {
				const value = names.get(tree.name);
				return value
					? { value, kind: value.is === 'fields' ? 'column' : 'other', needs: [] }
					: CONSTANT;
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
				return {
					kind: 'other',
					needs:
						tree.to.is === 'member' ? [...needs, ...this.use(tree.to.name, names).needs] : needs,
				};
			}
			case 'either':
				return this.either(operandsOf(tree.of), names);
			case 'choice':
				this.question(tree.asks, names);
				return this.choice(tree, names);
			case 'not':
				this.question(tree.of, names);
				return this.together([this.use(tree.of, names)]);
			case 'comparison': {
				const [left, right] = tree.of;
				// `$json.consent === ''` asks whether there is something.
				const compared = (to: Tree): Array<Partial<Asked>> =>
					wordsOf(to).map((word) => (word === '' ? {} : { word, isLoose: tree.isLoose }));
				for (const [side, other] of [
					[left, right],
					[right, left],
				] as const) {
					for (const how of compared(other)) this.ask(side, names, how);
					// Also `null` and `undefined`.
					if (isAsItStands(side) && /^(?:literal|name)$/.test(other.is)) this.questions.add(side);
				}
				return this.together(tree.of.map((each) => this.use(each, names)));
			}
			case 'braces':
				return this.together(partsOf(tree).map((each) => this.use(each, names)));
			case 'parts': {
				if (tree.isBoth) for (const each of tree.of.slice(0, -1)) this.question(each, names);
				if (tree.isList)
					for (const each of tree.of) if (isAsItStands(each)) this.questions.add(each);
				const all = tree.of.map((each) => this.use(each, names));
				// `[...$('A').all()]`
				return { ...this.together(all), value: { is: 'list', of: entryOf(this.oneOf(all)) } };
			}
		}
	}

	/** Of what is joined, the one that is read now. */
	private oneOf(all: readonly Meaning[]): Value | undefined {
		const values = all.flatMap(({ value }) => value ?? []);
		const lists = values.filter((value) => !isCellOfRow(value));
		this.mostLists = Math.max(this.mostLists, lists.length);
		if (lists.length === 0) this.mostCells = Math.max(this.mostCells, values.length);
		const joined = lists.length > 0 ? lists : values;
		return joined[this.joined % joined.length];
	}

	private together(all: readonly Meaning[]): Meaning {
		return {
			kind: all.every(({ kind }) => kind === 'constant') ? 'constant' : 'other',
			needs: all.flatMap(({ needs }) => needs),
		};
	}

	/** Notes what is asked of columns, if nothing is done to them before. */
	private ask(tree: Tree, names: Names, how: Partial<Asked> = {}): void {
		if (tree.is === 'either') for (const each of tree.of) this.ask(each, names, how);
		// What a function in it asks is noted where it is used.
		if (this.isAsking || !isAsItStands(tree)) return;
		this.isAsking = true;
		const { value: whole } = this.read(tree, names);
		this.isAsking = false;
		const value = whole?.is === 'list' ? whole.of : whole;
		if (value?.is !== 'fields' || value.path.length === 0) return;
		// What is asked of each entry of a list is asked of the list.
		const { takes, at } = value.of ?? value;
		const asked = {
			step: value.step,
			takes,
			at,
			path: value.path,
			...how,
			...(whole?.is === 'list' ? { isPart: undefined } : {}),
		};
		this.asked.set(JSON.stringify(asked), asked);
	}

	private askWhether(list: Tree, includes: Tree, names: Names): void {
		const words = wordsOf(includes);
		for (const word of words) this.ask(list, names, { word, isPart: true });
		for (const each of list.is === 'parts' ? list.of : []) {
			for (const word of wordsOf(each)) this.ask(includes, names, { word });
			for (const word of words) this.ask(each, names, { word });
		}
	}

	private member(tree: Tree & { is: 'member' }, names: Names): Meaning {
		const name = nameIn(tree);
		const isPlace =
			typeof name === 'number' || (tree.name.is === 'name' && isNameOfPlace(tree.name.name));
		const of = isPlace ? this.ofOne(tree.of, names) : this.read(tree.of, names);
		const value = of.value && this.noted(memberOf(of.value, name ?? tree.name));
		if (value)
			return {
				...of,
				value,
				kind: value.is === 'fields' && value.path[0] !== BESIDE_JSON ? 'column' : 'other',
			};
		const whole = this.used(of);
		if (name !== undefined) return { kind: whole.kind, needs: whole.needs };
		// `{ yes: true }[$json.status]`
		if (tree.of.is === 'braces')
			for (const [word] of tree.of.entries)
				if (word !== undefined) this.ask(tree.name, names, { word, isName: true });
		return this.together([whole, this.use(tree.name, names)]);
	}

	/** What one at a place is taken of: `$('List').all()[0]` is `$('List').first()`, and takes no list. */
	private ofOne(tree: Tree, names: Names): Meaning {
		const before = new Set(this.lists);
		const meaning = this.read(tree, names);
		if (isAllItems(tree))
			for (const each of this.lists) if (!before.has(each)) this.lists.delete(each);
		return meaning;
	}

	/** Notes the step that it is of, and whether it is all of its items. */
	private noted(value: Value | undefined): Value | undefined {
		const of = value?.is === 'list' ? value.of : value;
		if (of?.is === 'item' && of.takes === 'each') this.lists.add(of.step);
		if (of && 'step' in of && of.step !== undefined) this.steps.add(of.step);
		return value;
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
		const text =
			first?.is === 'literal' && typeof first.value === 'string' ? first.value : undefined;
		const name = of.is === 'name' ? of.name : undefined;
		if (name === '$' && text !== undefined)
			return { value: this.noted({ is: 'step', step: text }), kind: 'other', needs: [] };
		// `$item($itemIndex).$node["List"]`, in n8n's older spelling.
		if (name === '$item')
			return {
				value: { is: 'anyItem' },
				kind: 'other',
				needs: this.together(given.map((each) => this.use(each, names))).needs,
			};
		if (name === '$items' && (text !== undefined || !first))
			return { value: this.noted(itemsOf(text)), kind: 'other', needs: [] };
		if (/^(?:Boolean|\$?if)$/.test(name ?? '') && first) this.question(first, names);
		// It gives the second where the first is empty (n8n behaviour).
		if (name === '$ifEmpty' && given.length === 2) return this.either(given, names);
		return this.together([of, ...given].map((each) => this.use(each, names)));
	}

	private method(of: Tree & { is: 'member' }, given: readonly Tree[], names: Names): Meaning {
		// `Array.from(list, (item) => …)` is `list.map((item) => …)`.
		const [source, ...rest] = given;
		if (source && rest.length > 0 && of.of.is === 'name' && of.of.name === 'Array')
			return this.method(
				{ is: 'member', of: source, name: { is: 'literal', value: 'map' } },
				rest,
				names,
			);
		const name = String(nameIn(of));
		const receiver = ENTRY_AT_PLACE.test(name) ? this.ofOne(of.of, names) : this.read(of.of, names);
		if (receiver.value?.is === 'step')
			return {
				value: this.noted(givenByStep(receiver.value.step, name, given)),
				kind: 'other',
				needs: [],
			};
		// `['yes', 'x'].includes($json.status)`, `[$json.a, $json.b].includes('yes')`, `$json.note.includes('stop')`
		if (given[0] && /^(?:includes|indexOf|startsWith|endsWith)$/.test(name))
			this.askWhether(of.of, given[0], names);
		this.isQuestion = /^is(?:Not)?Empty$/.test(name);
		if (this.isQuestion) this.ask(of.of, names);
		const whole = this.used(receiver);
		this.isQuestion = false;
		const entry = entryOf(receiver.value);
		// What `reduce` has gathered so far is none; only what sorts is given two entries.
		const taken = [
			name === 'reduce' ? undefined : entry,
			/reduce|sort/i.test(name) ? entry : undefined,
		];
		const asked = name === 'pluck' ? given.map(plucking) : given;
		const all = asked.map((each) =>
			each.is === 'function' ? this.function(each, taken, names) : this.use(each, names),
		);
		// `.every((each) => each)`
		if (/^(?:every|some)$/.test(name))
			for (const each of given) if (each.is === 'function') this.ask(each.gives, names);
		const { kind } = this.together(all);
		const [first] = all;
		const list = name === 'concat' ? this.oneOf([receiver, ...all]) : receiver.value;
		const isByRow = first !== undefined && first.needs.flat().some(isOfRow);
		return {
			value:
				of.of.is === 'name' && of.of.name === 'Array'
					? first?.value
					: givenByList(list, name, given, first?.value, isByRow),
			kind:
				kind === 'constant'
					? whole.kind === 'column' && QUESTION.test(name)
						? 'question'
						: whole.kind
					: 'other',
			needs: [whole, ...all].flatMap(({ needs }) => needs),
		};
	}

	/** `given`: what its parameters are. */
	private function(
		{ takes, gives }: Tree & { is: 'function' },
		given: ReadonlyArray<Value | undefined>,
		names: Names,
	): Meaning {
		takes.forEach((each, place) => this.bind(each, given[place], names));
		if (gives.is !== 'braces') return this.use(gives, names);
		const all = partsOf(gives).map((each) => this.use(each, names));
		// Of statements, the last one says what it gives: `return phone`. An object is none of its properties.
		const isObject = gives.entries.some(([key]) => key !== undefined);
		return { ...this.together(all), value: isObject ? undefined : all.at(-1)?.value };
	}

	private bind(to: Tree, value: Value | undefined, names: Names): void {
		if (to.is === 'name') names.set(to.name, value);
		else if (to.is === 'bound') this.bind(to.to, value, names);
		else if (to.is === 'braces')
			for (const [key, each] of to.entries)
				this.bind(each, value && key !== undefined ? memberOf(value, key) : undefined, names);
	}

	/**
	 * A constant stands in for what is before it; a column, for the columns before it, unless something is asked of one. Empty text or an empty list, for an empty cell
	 * of a list alone: a list whose every entry lacks the column names nobody.
	 */
	private either(
		operands: readonly Tree[],
		names: Names,
		all = operands.map((each) => this.use(each, names)),
	): Meaning {
		const needed: Array<readonly Column[]> = [];
		let open: ReadonlyArray<readonly Column[]> = [];
		let last: Meaning['kind'] | undefined;
		all.forEach(({ kind, needs, value }, place) => {
			// `each.name ?? each`
			const own =
				needs.length === 0 && value?.is === 'fields' && isOfEntries(value.path)
					? [[{ ...value, path: [...value.path, PLAIN] }]]
					: needs;
			const isAlso = kind === 'column' && last === 'column';
			const isEmptyText = isNothing(operands[place]!);
			if (kind !== 'constant') needed.push(...(isAlso ? [] : open));
			else if (isEmptyText) needed.push(...open.filter(([column]) => column?.takes === 'each'));
			// What a column was looked up by is needed, whatever stands in for the column.
			if (kind !== 'question') needed.push(...(kind === 'column' ? own.slice(0, -1) : own));
			open =
				kind === 'column'
					? [[...new Set([...(isAlso ? open : []), ...own.slice(-1)].flat())]]
					: kind === 'question'
						? own
						: [];
			last = kind;
		});
		const kinds = new Set(all.map(({ kind }) => kind));
		// An entry itself serves for its columns, and is none.
		const needs = [...needed, ...open].filter((columns) =>
			columns.some(({ path }) => path.at(-1) !== PLAIN),
		);
		return {
			value: orOther(firstOf(all)),
			kind: kinds.size === 1 ? last! : 'other',
			needs: withoutStandIns(needs),
		};
	}

	private choice({ asks, then, otherwise }: Tree & { is: 'choice' }, names: Names): Meaning {
		const all = [asks, then, otherwise].map((each) => this.use(each, names));
		const [asked, chosen] = all.map(({ kind, needs }) =>
			kind === 'column' ? JSON.stringify(needs.at(-1)) : undefined,
		);
		// `a ? a : b`
		if (asked !== undefined && asked === chosen)
			return this.either([then, otherwise], names, all.slice(1));
		const { kind, needs } = this.together(all);
		return { kind, needs: withoutStandIns(needs), value: orOther(firstOf(all.slice(1))) };
	}
}

/** The word that a tree is; none, if it is something else. */
function wordsOf(tree: Tree): Array<string | number | boolean> {
	if (tree.is === 'literal') return [tree.value];
	return tree.is === 'name' && /^(?:true|false)$/.test(tree.name) ? [tree.name === 'true'] : [];
}

/** `$json.a`, `$('Sheet').item.json["b"]`, `$json.tags.map((tag) => tag.name)`: of calls, those that name a step, and those of lists that keep what is in them. */
function isAsItStands(tree: Tree): boolean {
	if (tree.is === 'member') return tree.name.is === 'literal' && isAsItStands(tree.of);
	if (tree.is !== 'call') return tree.is === 'name';
	return tree.of.is === 'member'
		? /^(?:all|filter|find|flat|map|pluck|slice)$/.test(String(nameIn(tree.of))) &&
				isAsItStands(tree.of.of)
		: textOfTree(tree.of) === '$';
}

/** `$('List').all()`, `$items('List')` */
const isAllItems = (tree: Tree): boolean =>
	tree.is === 'call' &&
	(tree.of.is === 'member'
		? nameIn(tree.of) === 'all'
		: tree.of.is === 'name' && tree.of.name === '$items');

const isCellOfRow = (value: Value): boolean =>
	(value.is === 'fields' && (value.of ?? value).takes === 'ofRow') ||
	(value.is === 'list' && value.of !== undefined && isCellOfRow(value.of));

const isBesideJson = ([column]: readonly Column[]): boolean => column?.path[0] === BESIDE_JSON;

/** `item.json?.phone || item.phone`: what is beside json stands in where a step gives no items. */
const withoutStandIns = (needs: Meaning['needs']): Meaning['needs'] =>
	needs.every(isBesideJson) ? needs : needs.filter((each) => !isBesideJson(each));

const operandsOf = ([left, right]: readonly [Tree, Tree]): Tree[] => [
	...(left.is === 'either' ? operandsOf(left.of) : [left]),
	right,
];
