import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isDeepStrictEqual } from 'node:util';
import { text } from '../engine/helpers/workflows';
import type { Sandbox } from '../sandbox';
import type { Count } from './count';
import { lineage, type Execution, type Round } from './executions';
import { mayHavePlaced, numbersIn, seenOf } from './journal';
import { isCallable, memoryOf, type Row } from './rows';
import type { Settings, Shape } from './shape';
import { UNSEEN } from './unseen';

const UNDIALED = ['failed', 'skipped', 'locked', 'rate_limited', 'temporarily_unavailable'];
/** Statuses of people who certainly were not called by the run that they come out of. */
const CERTAINLY_NOT = [
	'invalid',
	'refused',
	'already_called',
	'dry_run',
	'do_not_call',
	'outside_hours',
	'limit_reached',
	...UNDIALED,
];
/** Statuses of rows for which another row of their number stands, with the same words or with others. */
const OTHER_ROW = ['duplicate', 'same_number'];
/** All that may stand in `status`; the last one is the sandbox's, as an API of tomorrow could send it. */
const STATUSES = [...CERTAINLY_NOT, 'initiated', 'placed', ...OTHER_ROW, 'unknown', 'teleported'];
/** What a row by itself can be told, besides a call of its number: that others of its number stand for it, or what it is. */
const TOLD: Record<Exclude<Kind, 'live'>, readonly string[]> = {
	invalid: ['invalid'],
	dry: ['dry_run', 'limit_reached', ...OTHER_ROW, 'already_called'],
	held: ['do_not_call', 'outside_hours', ...OTHER_ROW, 'already_called'],
};
const NEVER_TOLD_LIVE = ['invalid', 'dry_run', 'do_not_call', 'outside_hours'];
/** The sandbox's conversations have the IDs of their call records, this far apart. */
const FIRST_CONVERSATION = 700_000;
const LONGEST_TEXT = 2_000;

/** Items in any order. */
const asTexts = (items: readonly INodeExecutionData[]): string =>
	items
		.map(({ json, pairedItem }) => JSON.stringify([pairedItem, json]))
		.sort()
		.join();

/** What is meant by a row: to be called, to be listed, not to be called today or at all; or nothing that can be called. */
type Kind = 'live' | 'dry' | 'held' | 'invalid';

/** Compares what came out of a campaign with the sandbox's journal. Knows the contract, and nothing of how the node works. */
export class Judge {
	private readonly looked = new Set<Execution>();
	/** Rows of a number that came out as unknown of an execution that was stopped, in whatever round: its request may not have reached the sandbox. */
	private readonly doubted = new Set<string>();

	constructor(
		private readonly shape: Shape,
		private readonly sandbox: Sandbox,
		private readonly count: Count,
	) {}

	/** What holds for each execution, whether it came to an end or not. To be called in their order. */
	look(execution: Execution): void {
		if (this.looked.has(execution)) return;
		this.looked.add(execution);
		const { count } = this;
		const { finished, rows } = execution;
		if (execution.wasEndless) count.endless++;
		const shown = [
			finished.error?.message,
			finished.error?.description,
			...finished.hints.map(({ message }) => message),
		].join('\n');
		if (
			holdsUnseen([
				finished.error?.message,
				finished.error?.description,
				finished.hints.map(({ message }) => message),
			])
		)
			count.unseen++;
		if (
			/[<>]/.test(shown) ||
			holdsNumber(`${finished.error?.message} ${finished.error?.description}`, rows)
		)
			count.exposed++;
		if (this.leaks(execution)) count.leaks++;
		// With Continue, the host passes the rows on as they came where the node throws.
		if (
			!finished.error &&
			(finished.data.resultData.runData.Calls ?? []).some(({ error }) => error)
		)
			count.noStatus += rows.length;
	}

	/** The rows of a round that came out for good. */
	round(execution: Execution, round: Round): void {
		const { count, shape } = this;
		const { settings } = execution;
		const { items, called, notCalled, errorItems, rows } = round;
		if (asTexts(items) !== asTexts([...called, ...notCalled])) count.wrongOutput++;
		count.lost += errorItems.length + Math.abs(rows.length - items.length);
		const ofTheSheet = new Set([
			'original_destination',
			'prompt_variables',
			...rows.flatMap(({ item }) => Object.keys(item)),
		]);
		for (const { json } of items) {
			if (!STATUSES.includes(text(json.status)) || 'error' in json) count.noStatus++;
			if (json.status === 'unknown') count.unknown++;
			if (text(json.reason).length > LONGEST_TEXT || text(json.status).length > LONGEST_TEXT)
				count.exposed++;
			if (holdsUnseen(ownColumns(json, ofTheSheet))) count.unseen++;
			if (
				settings.waitUntil !== 'none' &&
				!settings.spoiled &&
				isLive(json) &&
				!this.isFollowed(json, execution)
			)
				count.unfollowed++;
		}
		for (const { json } of called) {
			if (
				CERTAINLY_NOT.includes(text(json.status)) ||
				!['yes', 'maybe'].includes(text(json.called))
			)
				count.wrongOutput++;
		}
		for (const { json } of notCalled)
			if (
				maySayCalled(json) ||
				(json.called !== 'no' && !(json.called === 'other_row' && json.status === 'same_number'))
			)
				count.wrongOutput++;
		if (settings.spoiled && !execution.parent) count.wrongOutput += called.length;
		const outcomes = shape.byItem ? this.byRow(rows, items, settings) : this.byNumber(rows, items);
		if (lineage(execution).some(({ wasBroken }) => wasBroken)) {
			const unknown = new Set(
				outcomes.flatMap(([{ number }, { status }]) => (status === 'unknown' ? [number] : [])),
			);
			for (const row of execution.rows)
				if (unknown.has(row.number)) this.doubted.add(memoryOf(row));
		}
		this.rowsAre(outcomes, execution);
		this.numbersAre(outcomes, execution);
	}

	/** The host passes the rows on as they came, and nothing else happens. */
	deactivated(execution: Execution, rounds: readonly Round[], isComplete: boolean): void {
		const { count, shape } = this;
		count.deactivated +=
			seenOf(this.sandbox, [execution]).requests.length +
			(isComplete && !execution.finished.error ? 0 : 1);
		for (const { items, called, notCalled, errorItems, rows } of rounds) {
			const given = shape.byItem ? rows.map(({ item }) => item) : [{}];
			const isPassedOn = isDeepStrictEqual(
				items.map(({ json }) => json),
				given,
			);
			count.deactivated +=
				called.length + notCalled.length + errorItems.length + (isPassedOn ? 0 : 1);
		}
	}

	/** However often it was retried, with the last disturbance long gone. */
	neverEnds(): void {
		this.count.endless++;
	}

	/** After an undisturbed run: whoever could be called was called by one of all runs, or may have been. */
	nobodyForgotten(rows: readonly Row[], settings: Settings): void {
		const served = this.served();
		const { perPerson, perDay } = this.shape.limits ?? {};
		if (perDay !== undefined) return;
		for (const row of rows) {
			const isServed =
				served.has(memoryOf(row)) ||
				(perPerson !== undefined && served.has(`person ${row.number}`));
			if (isCallable(row, settings.countries) && !row.isIncomplete && !isServed)
				this.count.unheard++;
		}
	}

	/** Whether all who can be called certainly were. */
	hasServed(rows: readonly Row[]): boolean {
		const called = new Set(this.sandbox.journal.map(({ phone }) => phone));
		return (
			this.shape.key === 'number' &&
			rows.every((row) => !isCallable(row, true) || called.has(row.number!))
		);
	}

	/** What the memory can know by now: people who were called, or may have been, and what else their call stands for. */
	private served(): Set<string> {
		const served = new Set(this.doubted);
		for (const execution of this.looked) {
			const { requests, dials } = seenOf(this.sandbox, [execution]);
			const tried = new Set([
				...dials.map(({ phone }) => phone),
				...requests.filter(mayHavePlaced).flatMap(numbersIn),
			]);
			// What was on its way when a process was killed, nobody knows.
			const isUncertain = execution.wasBroken && this.shape.breakOff === 'kill';
			for (const row of execution.rows) {
				if (!isCallable(row, true) || !(isUncertain || tried.has(row.number!))) continue;
				served.add(memoryOf(row)).add(`person ${row.number}`);
			}
		}
		return served;
	}

	/** The outcome of each row by its pairing; counts those that have none of their own. */
	private byRow(
		rows: readonly Row[],
		items: INodeExecutionData[],
		{ includeInputFields }: Settings,
	): Array<[Row, IDataObject]> {
		const places = new Map<number, IDataObject>();
		for (const { json, pairedItem } of items) {
			const place =
				typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1;
			if (places.has(place)) this.count.lost++;
			places.set(place, json);
		}
		return rows.flatMap((row, position): Array<[Row, IDataObject]> => {
			const json = places.get(position);
			const isOwn =
				json &&
				(json.status === 'invalid' || json.destination === row.number) &&
				(!includeInputFields || json.name === row.name);
			if (!isOwn) this.count.lost++;
			return json ? [[row, json]] : [];
		});
	}

	/** Rows of a list come out with one item: they are known by their number. */
	private byNumber(rows: readonly Row[], items: INodeExecutionData[]): Array<[Row, IDataObject]> {
		const open = items.map(({ json }) => json);
		return rows.flatMap((row): Array<[Row, IDataObject]> => {
			const index = open.findIndex(({ destination, status }) =>
				row.number === undefined ? status === 'invalid' : destination === row.number,
			);
			if (index < 0) this.count.lost++;
			return index < 0 ? [] : [[row, open.splice(index, 1)[0]!]];
		});
	}

	/** Each row by itself: whether it is told what it is. */
	private rowsAre(outcomes: Array<[Row, IDataObject]>, { settings, wasAlone }: Execution): void {
		const served = this.served();
		for (const [row, json] of outcomes) {
			const kind = kindOf(row, settings);
			const status = text(json.status);
			const isTold =
				kind === 'live'
					? !NEVER_TOLD_LIVE.includes(status)
					: TOLD[kind].includes(status) ||
						// No row was looked at.
						(settings.spoiled !== undefined && status === 'refused') ||
						// A person who was called, with another row's words, before this row was found to be held.
						(kind === 'held' && maySayCalled(json));
			if (!isTold) this.count.misjudged++;
			// What runs beside may be about to call somebody, and then not do it.
			if (wasAlone && kind === 'live' && status === 'already_called' && !served.has(memoryOf(row)))
				this.count.hearsay++;
		}
	}

	/** The rows of each number: whether they tell of as many calls as this execution and those that it continues made. */
	private numbersAre(outcomes: Array<[Row, IDataObject]>, execution: Execution): void {
		const { count } = this;
		const names = new Set<unknown>(outcomes.map(([{ name }]) => name));
		const dialed = seenOf(this.sandbox, lineage(execution)).dials.filter(({ variables }) =>
			names.has(variables.name),
		);
		const numbers = new Map<unknown, IDataObject[]>();
		for (const [, json] of outcomes) {
			if (!OTHER_ROW.includes(text(json.status)))
				numbers.set(json.destination, [...(numbers.get(json.destination) ?? []), json]);
		}
		// Whose own words were spoken is not told that another row's were.
		const spoken = new Set(dialed.map(({ variables }) => variables.name));
		count.denied += outcomes.filter(
			([{ name }, { status }]) => status === 'same_number' && spoken.has(name),
		).length;
		for (const [number, rows] of numbers) {
			const calls = dialed.filter(({ phone }) => phone === number).length;
			count.invented += Math.max(0, rows.filter(({ success }) => success === true).length - calls);
			// Rows of one number share one call unless each row is to be called, or was.
			const shown = rows.filter(
				({ status }) => status === 'already_called' || !CERTAINLY_NOT.includes(text(status)),
			).length;
			count.denied += Math.max(
				0,
				Math.min(calls, execution.settings.callEach ? rows.length : 1) - shown,
			);
		}
	}

	private leaks({ finished }: Execution): boolean {
		const secrets = [this.shape.token, this.shape.storedToken].filter(({ length }) => length >= 6);
		const written = JSON.stringify([
			finished.data,
			finished.error?.stack,
			finished.error?.description,
			finished.hints,
		]);
		return secrets.some((secret) => written.includes(JSON.stringify(secret).slice(1, -1)));
	}

	/** Whether a row of a run that waited says how its call ended, and that of no other call. */
	private isFollowed(json: IDataObject, execution: Execution): boolean {
		const {
			reached,
			conversation_id: conversation,
			settled,
			consent_id: record,
			status,
			success,
		} = json;
		if (typeof settled !== 'boolean' || reached === undefined || conversation === undefined)
			return false;
		if ((reached === true) !== (conversation !== null) || (reached !== null && !settled))
			return false;
		if (CERTAINLY_NOT.includes(text(status)) && (reached !== null || !settled)) return false;
		if (
			this.shape.isLate &&
			!execution.wasBroken &&
			success === true &&
			record !== null &&
			!settled
		)
			return false;
		return conversation === null || Number(conversation) - Number(record) === FIRST_CONVERSATION;
	}
}

function kindOf(row: Row, { countries }: Settings): Kind {
	if (isCallable(row, countries)) return 'live';
	if (row.mode === 'neither' || !isCallable({ ...row, mode: 'live', held: 'no' }, countries))
		return 'invalid';
	return row.held === 'no' ? 'dry' : 'held';
}

/** A row of a dry run follows nobody. */
const isLive = ({ status, success }: IDataObject): boolean =>
	status !== 'dry_run' && success !== undefined;

/** What the node says of a row: not what the sheet has, nor its phone number as it stands there. */
function ownColumns(json: IDataObject, ofTheSheet: ReadonlySet<string>): IDataObject[string][] {
	const isTheirs = (name: string): boolean =>
		ofTheSheet.has(name) || (name === 'destination' && json.status === 'invalid');
	return Object.entries(json).flatMap(([name, value]) => (isTheirs(name) ? [] : [name, value]));
}

function holdsUnseen(value: unknown): boolean {
	if (typeof value === 'string') return UNSEEN.test(value);
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsUnseen);
}

/** That its call was started, or may have been. */
const maySayCalled = ({ status, success }: IDataObject): boolean =>
	success === true || status === 'unknown';

/** Whether a text shows the whole number of a person, however it is written. */
function holdsNumber(shown: string, rows: readonly Row[]): boolean {
	const digits = shown.replace(/[\s()./-]/g, '');
	return rows.some(({ number, item }) =>
		[number?.slice(3), text(item.phone).slice(0, 100).replace(/[^\d]/g, '')].some(
			(each) => each !== undefined && each.length >= 7 && digits.includes(each),
		),
	);
}
