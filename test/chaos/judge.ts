import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { text } from '../engine/helpers/outcomes';

import type { Sandbox } from '../sandbox';
import type { Breach, Count } from './count';
import { lineage, type Execution, type Round } from './executions';
import { mayHavePlaced, numbersIn, seenOf } from './journal';
import { kindOf, memoryOf, type Row } from './rows';
import type { Settings, Shape } from './shape';
import { minuteOf, MOMENT_MS } from './waits';

const UNDIALED = ['failed', 'skipped', 'locked', 'rate_limited', 'temporarily_unavailable'];
/** Statuses of people who certainly were not called by the run that they come out of. */
const CERTAINLY_NOT = [
	...['invalid', 'refused', 'already_called', 'dry_run', 'do_not_call', 'outside_hours'],
	...['limit_reached', ...UNDIALED],
];
/** What stands in `called` beside each status; the last one is the sandbox's, as an API of tomorrow could send it. */
const CALLED: Record<string, readonly string[]> = {
	...Object.fromEntries(CERTAINLY_NOT.map((status) => [status, ['no']])),
	duplicate: ['other_row'],
	initiated: ['yes'],
	placed: ['yes'],
	unknown: ['maybe'],
	teleported: ['yes', 'maybe'],
};
/** What a row is told that is not to be called. Where the run could not start, it is `refused`. */
const TOLD = { invalid: ['invalid'], held: ['do_not_call', 'outside_hours', 'refused'] };
const NEVER_TOLD_LIVE = ['invalid', 'do_not_call', 'outside_hours'];
const TOLD_DRY = ['dry_run', 'duplicate', 'already_called', 'limit_reached', 'refused'];
/** The sandbox's conversations have the IDs of their call records, this far apart. */
const FIRST_CONVERSATION = 700_000;
/** A quoted text of the API and what stands around it. */
const LONGEST_TEXT = 520;
/** What no text of the node's own may hold: a control or direction character, or markup. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const MARKUP = /[<>]/;

/** A row and what came out for it. */
type Told = [row: Row, json: IDataObject];

/** Compares what came out of a campaign with the sandbox's journal. Knows the contract, and nothing of how the node works. */
export class Judge {
	/** What was found, for the story of a campaign. */
	readonly findings: unknown[][] = [];
	private readonly looked: Execution[] = [];
	/** Rows that came out as unknown of an execution that was stopped: their request may not have reached the sandbox. */
	private readonly doubted = new Set<string>();
	/** What runs that waited told of their call to a number, by their first execution: `no` if none told otherwise. */
	private readonly reached = new Map<string, unknown>();

	constructor(
		private readonly shape: Shape,
		private readonly sandbox: Sandbox,
		private readonly count: Count,
	) {}

	/** Counts a breach, and keeps what it is about. */
	private found(breach: Breach, ...about: unknown[]): void {
		this.count[breach]++;
		this.findings.push([breach, ...about]);
	}

	/** What holds for each execution, whether it came to an end or not. To be called in their order. */
	look(execution: Execution): void {
		this.looked.push(execution);
		const { finished } = execution;
		if (execution.wasEndless) this.found('endless', execution.mark);
		const { message = '', description } = finished.error ?? {};
		const lines = finished.hints.flatMap((hint) => hint.message.split('<br>').map(withoutBold));
		const shown = [message, description ?? '', ...lines];
		if (shown.some((line) => UNSEEN.test(line) || MARKUP.test(line))) this.found('exposed', shown);
		if (this.leaks(execution)) this.found('leaks', execution.mark);
		// With Continue, the host passes the rows on as they came where the node throws.
		if (
			!finished.error &&
			(finished.data.resultData.runData.Calls ?? []).some(({ error }) => error)
		)
			this.found('noStatus', execution.mark);
	}

	/** The rows of a round that came out for good. */
	round(execution: Execution, { items, errorItems, rows }: Round): void {
		const { settings } = execution;
		if (errorItems.length > 0 || rows.length !== items.length) this.found('lost', execution.mark);
		const outcomes = this.byRow(rows, items, settings);
		for (const told of outcomes) this.isSound(told, execution);
		if (lineage(execution).some(({ broken }) => broken)) {
			const unknown = outcomes.filter(([, { status }]) => status === 'unknown');
			const people = new Set(unknown.map(([{ number }]) => number));
			for (const row of execution.rows)
				if (people.has(row.number)) this.doubted.add(memoryOf(row, settings)).add(personOf(row));
		}
		this.rowsAre(outcomes, execution);
		if (settings.mode === 'live') this.numbersAre(outcomes, execution);
	}

	/** However often it was retried, with the last disturbance long gone. */
	neverEnds(): void {
		this.found('endless', 'retries');
	}

	/** The live run does what the dry run right before it has said. */
	foresight(foreseen: Execution, live: Execution): void {
		const { batchSize } = this.shape;
		if (batchSize > 0 || live.rows.some(({ isIncomplete }) => isIncomplete)) return;
		foreseen.finished.json.forEach(({ status }, i) => {
			const { called } = live.finished.json[i] ?? {};
			if ((status === 'dry_run') !== (called === 'yes'))
				this.found('misforeseen', i, status, live.finished.json[i]);
		});
	}

	/** After an undisturbed run: whoever could be called was called by one of all runs, or may have been. */
	nobodyForgotten({ rows, settings, mark }: Execution): void {
		const { limits, maxCalls, operation } = this.shape;
		if (limits.perDay !== undefined || maxCalls !== undefined) return;
		const served = this.served(settings);
		const last = this.looked.filter((each) => each.mark === mark);
		const calledNow = new Set(seenOf(this.sandbox, last).dials.map(({ phone }) => phone));
		const { perPerson, hoursBetween, stopWhenReached } = limits;
		const isLimited = perPerson !== undefined || hoursBetween !== undefined || stopWhenReached;
		const isOnlyReached =
			settings.calledBefore === 'callAgain' &&
			perPerson === undefined &&
			hoursBetween === undefined;
		const forgotten = rows.filter(
			(row) =>
				kindOf(row, settings) === 'live' &&
				!row.isIncomplete &&
				!calledNow.has(row.number!) &&
				((isOnlyReached && this.wasNotReached(row)) ||
					!served.has(isLimited ? personOf(row) : memoryOf(row, settings))),
		);
		// The people of the requests under way, while the list is small.
		const inFlight = this.looked
			.filter(({ broken }) => broken === 'kill')
			.map((each) => each.settings.parallelRequests * (operation === 'bulkCall' ? 10 : 1));
		const most = inFlight.reduce((sum, each) => sum + each, 0);
		const people = new Set(forgotten.map(({ number }) => number)).size;
		if (people > most) this.found('unheard', forgotten);
	}

	/** Whether each run that may have called the number was told that it did not reach them. */
	private wasNotReached(row: Row): boolean {
		const number = row.number!;
		const tries = this.looked.filter((each) => this.tried(each).has(number));
		return (
			!this.doubted.has(personOf(row)) &&
			tries.length > 0 &&
			tries.every((each) => this.reached.get(`${lineage(each).at(-1)!.mark} ${number}`) === 'no')
		);
	}

	/** Whom an execution called, or may have called. */
	private tried(execution: Execution): Set<string> {
		const { requests, dials } = seenOf(this.sandbox, [execution]);
		return new Set([
			...dials.map(({ phone }) => phone),
			...requests.filter(mayHavePlaced).flatMap(numbersIn),
		]);
	}

	/** What the memory can know by now: calls that were placed, or may have been, and what else they stand for. */
	private served(settings: Settings): Set<string> {
		const served = new Set(this.doubted);
		for (const execution of this.looked) {
			const tried = this.tried(execution);
			for (const row of execution.rows) {
				if (kindOf(row, execution.settings) !== 'live' || !tried.has(row.number!)) continue;
				served.add(memoryOf(row, settings)).add(personOf(row));
			}
		}
		return served;
	}

	/** The outcome of each row by its pairing; counts those that have none of their own. */
	private byRow(
		rows: readonly Row[],
		items: INodeExecutionData[],
		{ includeInputFields }: Settings,
	): Told[] {
		const places = new Map<number, IDataObject>();
		for (const { json, pairedItem } of items) {
			const place =
				typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1;
			if (places.has(place)) this.found('lost', json);
			places.set(place, json);
		}
		return rows.flatMap((row, position): Told[] => {
			const json = places.get(position);
			const isOwn =
				json &&
				(json.status === 'invalid' || json.destination === row.number) &&
				(!includeInputFields || json.name === row.name);
			if (!isOwn) this.found('lost', row, json);
			return json ? [[row, json]] : [];
		});
	}

	/** Whether an item is one as the contract has it. */
	private isSound([, json]: Told, execution: Execution): void {
		const { waitUntil, spoiled, mode } = execution.settings;
		const [status, reason] = [text(json.status), text(json.reason)];
		if (!CALLED[status]?.includes(text(json.called)) || 'error' in json || reason === '')
			this.found('noStatus', json);
		if (status === 'unknown') this.count.unknown++;
		if (Math.max(status.length, reason.length) > LONGEST_TEXT || UNSEEN.test(status + reason))
			this.found('exposed', json);
		if (waitUntil !== 'none' && !spoiled && mode === 'live' && !this.isFollowed(json))
			this.found('unfollowed', json);
	}

	/** Each row by itself: whether it is told what it is. */
	private rowsAre(outcomes: readonly Told[], execution: Execution): void {
		const { settings, wasAlone, parent, beganAt, endedAt } = execution;
		const { openMinutes = Infinity } = this.shape;
		const wasClosed = minuteOf(beganAt) + (endedAt - beganAt) / 60_000 >= openMinutes;
		const served = this.served(settings);
		const wasKilled = this.looked.some(({ broken }) => broken === 'kill');
		for (const [row, json] of outcomes) {
			const kind = kindOf(row, settings);
			const status = text(json.status);
			const isTold =
				kind !== 'live'
					? TOLD[kind].includes(status) ||
						// Another row of the person was called before a Retry.
						(row.held === 'date' && status === 'duplicate')
					: settings.spoiled && !parent
						? // The dry run is missed when somebody is to be called.
							status ===
							(settings.spoiled === 'noDryRun' && this.shape.maxCalls === 0
								? 'limit_reached'
								: 'refused')
						: settings.mode === 'dryRun'
							? TOLD_DRY.includes(status)
							: !NEVER_TOLD_LIVE.includes(status);
			const isLate = wasClosed && status === 'outside_hours' && json.callable_at !== undefined;
			if (!isTold && !(kind === 'live' && isLate)) this.found('misjudged', row, json);
			// What runs beside may be about to call somebody, and then not do it; so may a process that was killed.
			const isSure = wasAlone && !wasKilled;
			const key = settings.calledBefore === 'onceForEach' ? memoryOf(row, settings) : personOf(row);
			if (isSure && kind === 'live' && status === 'already_called' && !served.has(key))
				this.found('hearsay', row, json);
		}
	}

	/** The rows of each number: whether they tell of as many calls as this execution and those that it continues made. */
	private numbersAre(outcomes: readonly Told[], execution: Execution): void {
		const names = new Set<unknown>(outcomes.map(([{ name }]) => name));
		const dialed = seenOf(this.sandbox, lineage(execution)).dials.filter(({ variables }) =>
			names.has(variables.name),
		);
		const spoken = new Set(dialed.map(({ variables }) => variables.name));
		const numbers = new Map<unknown, Told[]>();
		for (const told of outcomes) {
			const [{ name }, { status, destination }] = told;
			// Whose own words were spoken is not told that another row's were.
			if (status === 'duplicate' && spoken.has(name)) this.found('denied', ...told);
			if (status !== 'duplicate')
				numbers.set(destination, [...(numbers.get(destination) ?? []), told]);
		}
		for (const [number, rows] of numbers) {
			const calls = dialed.filter(({ phone }) => phone === number);
			const told = rows.filter(([, { success }]) => success === true);
			if (told.length > calls.length) this.found('invented', number, told);
			for (const [row, json] of told) {
				const saidAt = Date.parse(text(json.called_at));
				const isSpoken = calls.some(
					({ at, variables }) => variables.name === row.name && Math.abs(at - saidAt) < MOMENT_MS,
				);
				if (!isSpoken) this.found('invented', row, json);
			}
			const key = `${lineage(execution).at(-1)!.mark} ${text(number)}`;
			// Whose outcome nobody knows may have been reached, whatever another call to them came to.
			for (const [, { reached }] of rows.filter(([, json]) => json.called !== 'no'))
				if (this.reached.get(key) === undefined || reached !== 'no') this.reached.set(key, reached);
			// Rows of one number share one call.
			const shown = rows.filter(
				([, { status }]) => status === 'already_called' || !CERTAINLY_NOT.includes(text(status)),
			).length;
			if (calls.length > 0 && shown === 0) this.found('denied', number, rows);
		}
	}

	private leaks({ finished }: Execution): boolean {
		const secrets = [this.shape.token, this.shape.storedToken].filter(({ length }) => length >= 6);
		const { stack, description } = finished.error ?? {};
		const written = JSON.stringify([finished.data, stack, description, finished.hints]);
		return secrets.some((secret) => written.includes(JSON.stringify(secret).slice(1, -1)));
	}

	/** Whether a row of a run that waited says how its call ended, and that of no other call. */
	private isFollowed(json: IDataObject): boolean {
		const { reached, conversation_id: conversation, settled, consent_id: record, status } = json;
		if (typeof settled !== 'boolean' || reached === undefined || conversation === undefined)
			return false;
		if (status === 'duplicate') {
			if (reached !== 'other_row') return false;
		} else if ((reached === 'yes') !== (conversation !== null)) return false;
		if (reached !== 'open' && !settled) return false;
		if (CERTAINLY_NOT.includes(text(status)) !== (reached === 'not_called')) return false;
		return conversation === null || Number(conversation) - Number(record) === FIRST_CONVERSATION;
	}
}

/** The node's own mark of a line that stands out. */
const withoutBold = (line: string): string => line.replace(/^<b>(.*)<\/b>$/, '$1');

const personOf = ({ number }: Row): string => `person ${number}`;
