import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { text } from '../engine/helpers/workflows';
import type { Dial, RecordedRequest, Sandbox } from '../sandbox';
import type { Count } from './count';
import { lineage, type Execution, type Round } from './executions';
import { isCallable, memoryOf, type Row } from './rows';
import type { Settings, Shape } from './shape';

const UNDIALED = ['failed', 'skipped', 'locked', 'rate_limited', 'temporarily_unavailable'];
/** Statuses of people who certainly were not called by the run that they come out of. */
const CERTAINLY_NOT = ['invalid', 'refused', 'already_called', 'dry_run', 'do_not_call', 'outside_hours', 'limit_reached', ...UNDIALED];
const TOLD: Record<string, 'invalid' | 'dry' | 'held'> = { invalid: 'invalid', dry_run: 'dry', do_not_call: 'held', outside_hours: 'held' };
/** All that may stand in `status`; the last one is the sandbox's, as an API of tomorrow could send it. */
const STATUSES = [...CERTAINLY_NOT, 'initiated', 'placed', 'duplicate', 'unknown', 'teleported'];
/** The sandbox's conversations have the IDs of their call records, this far apart. */
const FIRST_CONVERSATION = 700_000;
const LONGEST_TEXT = 2_000;
/** Answers of the API's own that certainly placed nothing. */
const REFUSALS = [400, 401, 403, 422];

/** Compares what came out of a campaign with the sandbox's journal. Knows nothing of how the node works. */
export class Judge {
	/** What the memory can know by now: people who were called, or may have been, and what else their call stands for. */
	private readonly served = new Set<string>();
	private readonly seen = new Set<Execution>();
	/** A request of an execution that was stopped may arrive at any time. */
	private wasCutOff = false;

	constructor(
		private readonly shape: Shape,
		private readonly sandbox: Sandbox,
		private readonly count: Count,
	) {}

	/** What holds for each execution, whether it came to an end or not. To be called in their order. */
	look(execution: Execution): void {
		if (this.seen.has(execution)) return;
		this.seen.add(execution);
		const { count } = this;
		const { finished, settings, rows } = execution;
		if (execution.wasEndless) count.endless++;
		this.wasCutOff ||= execution.wasBroken;
		const shown = [finished.error?.message, finished.error?.description, ...finished.hints.map(({ message }) => message)].join('\n');
		if (/[<>]/.test(shown) || holdsNumber(`${finished.error?.message} ${finished.error?.description}`, rows)) count.exposed++;
		if (this.leaks(execution)) count.leaks++;
		// With Continue, the host passes the rows on as they came where the node throws.
		if (!finished.error && (finished.data.resultData.runData.Calls ?? []).some(({ error }) => error)) count.noStatus += rows.length;
		if (settings.spoiled && execution.isAlone)
			count.forbidden += this.dialsOf(execution).filter(({ variables }) => rows.some(({ name }) => name === variables.name)).length;
		// What was on its way when a process was killed, nobody knows.
		const isUncertain = execution.wasBroken && this.shape.breakOff === 'kill';
		for (const each of rows) if (isCallable(each, true) && (isUncertain || this.wasTried(execution, each))) this.served.add(memoryOf(each));
	}

	/** The rows of a round that came out for good. `isStrict`: nothing else was under way, and nothing was killed before. */
	round(execution: Execution, round: Round, isStrict: boolean): void {
		const { count, shape } = this;
		const { settings } = execution;
		const { called, notCalled, errorItems, rows } = round;
		const items = [...called, ...notCalled];
		count.lost += errorItems.length + Math.abs(rows.length - items.length);
		for (const { json } of items) {
			if (!STATUSES.includes(text(json.status)) || 'error' in json) count.noStatus++;
			if (json.status === 'unknown') count.unknown++;
			if (text(json.reason).length > LONGEST_TEXT || text(json.status).length > LONGEST_TEXT) count.exposed++;
			if (settings.waitUntil !== 'none' && !settings.spoiled && isLive(json) && !this.isFollowed(json)) count.unfollowed++;
		}
		for (const { json } of called) if (CERTAINLY_NOT.includes(text(json.status))) count.wrongOutput++;
		for (const { json } of notCalled) if (json.success === true || json.status === 'unknown') count.wrongOutput++;
		if (settings.spoiled && !execution.parent) count.wrongOutput += called.length;
		const outcomes = shape.byItem ? this.byRow(rows, items, settings) : this.byNumber(rows, items);
		// A request that the Stop button cut off may not have reached the server.
		const wasStopped = lineage(execution).some(({ wasBroken }) => wasBroken);
		if (wasStopped) {
			const unknown = new Set(outcomes.flatMap(([{ number }, { status }]) => (status === 'unknown' ? [number] : [])));
			for (const [row] of outcomes) if (unknown.has(row.number)) this.served.add(memoryOf(row));
		}
		this.rowsAre(outcomes, settings, isStrict);
		if (isStrict && lineage(execution).every(({ isAlone }) => isAlone)) this.numbersAre(outcomes, execution);
	}

	/** However often it was retried, with the last disturbance long gone. */
	neverEnds(): void {
		this.count.endless++;
	}

	/** After an undisturbed run: whoever could be called was called by one of all runs, or may have been. */
	nobodyForgotten(rows: readonly Row[], settings: Settings): void {
		for (const row of rows) if (isCallable(row, settings.countries) && !row.isIncomplete && !this.served.has(memoryOf(row))) this.count.unheard++;
	}

	/** Whether all who can be called certainly were. */
	hasServed(rows: readonly Row[]): boolean {
		const called = new Set(this.sandbox.journal.map(({ phone }) => phone));
		return this.shape.key === 'number' && rows.every((row) => !isCallable(row, true) || called.has(row.number!));
	}

	dialsOf({ from, to }: Execution): Dial[] {
		return this.sandbox.journal.slice(from.dials, to.dials);
	}

	/** Whether an execution called the row's number, or may have. */
	private wasTried(execution: Execution, { number }: Row): boolean {
		if (number === undefined) return false;
		const numbers = this.tried.get(execution) ?? this.numbersTried(execution);
		this.tried.set(execution, numbers);
		return numbers.has(number);
	}

	private readonly tried = new WeakMap<Execution, Set<string>>();

	private numbersTried(execution: Execution): Set<string> {
		const numbers = new Set(this.dialsOf(execution).map(({ phone }) => phone));
		for (const request of this.sandbox.requests.slice(execution.from.requests, execution.to.requests)) {
			if (mayHavePlaced(request)) for (const number of numbersIn(request)) numbers.add(number);
		}
		return numbers;
	}

	/** The outcome of each row by its pairing; counts those that have none of their own. */
	private byRow(rows: readonly Row[], items: INodeExecutionData[], { includeInputFields }: Settings): Array<[Row, IDataObject]> {
		const places = new Map<number, IDataObject>();
		for (const { json, pairedItem } of items) {
			const place = typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1;
			if (places.has(place)) this.count.lost++;
			places.set(place, json);
		}
		return rows.flatMap((row, position): Array<[Row, IDataObject]> => {
			const json = places.get(position);
			const isOwn = json && (json.status === 'invalid' || json.destination === row.number) && (!includeInputFields || json.name === row.name);
			if (!isOwn) this.count.lost++;
			return json ? [[row, json]] : [];
		});
	}

	/** Rows of a list come out with one item: they are known by their number. */
	private byNumber(rows: readonly Row[], items: INodeExecutionData[]): Array<[Row, IDataObject]> {
		const open = items.map(({ json }) => json);
		return rows.flatMap((row): Array<[Row, IDataObject]> => {
			const index = open.findIndex(({ destination, status }) => (row.number === undefined ? status === 'invalid' : destination === row.number));
			if (index < 0) this.count.lost++;
			return index < 0 ? [] : [[row, open.splice(index, 1)[0]!]];
		});
	}

	private expected(row: Row, { countries }: Settings): 'live' | 'dry' | 'held' | 'invalid' {
		if (isCallable(row, countries)) return 'live';
		if (row.mode === 'neither' || !isCallable({ ...row, mode: 'live', held: 'no' }, countries)) return 'invalid';
		return row.held === 'no' ? 'dry' : 'held';
	}

	/** Each row by itself: whether it is told what it is. */
	private rowsAre(outcomes: Array<[Row, IDataObject]>, settings: Settings, isStrict: boolean): void {
		const { count } = this;
		for (const [row, { status }] of outcomes) {
			const expected = this.expected(row, settings);
			// A dry run shows whom the limit would leave out.
			const isLeftOut = status === 'limit_reached' && expected === 'dry' && this.shape.maxCalls !== undefined;
			const told = isLeftOut ? 'dry' : (TOLD[text(status)] ?? 'live');
			const sharesCall = status === 'duplicate' || status === 'already_called' || settings.spoiled !== undefined;
			// A row that has a no-call date shows the call of another row of its number that an earlier try made.
			const isOfNumber = row.held === 'date' && told === 'live' && this.served.has(memoryOf(row));
			if (told !== expected && !((expected === 'dry' || expected === 'held') && sharesCall) && !isOfNumber) count.misjudged++;
			if (isStrict && expected === 'live' && status === 'already_called' && !this.served.has(memoryOf(row))) count.hearsay++;
		}
	}

	/** The rows of each number: whether they tell of as many calls as there were in this execution and those that it continues. */
	private numbersAre(outcomes: Array<[Row, IDataObject]>, execution: Execution): void {
		const { count } = this;
		const names = new Set(outcomes.map(([{ name }]) => name));
		const dials = new Map<string, number>();
		for (const each of lineage(execution)) {
			for (const { phone, variables } of this.dialsOf(each)) if (names.has(variables.name!)) dials.set(phone, (dials.get(phone) ?? 0) + 1);
		}
		const numbers = new Map<string, IDataObject[]>();
		for (const [row, json] of outcomes) {
			if (isCallable(row, execution.settings.countries)) numbers.set(row.number!, [...(numbers.get(row.number!) ?? []), json]);
		}
		for (const [number, found] of numbers) {
			const calls = dials.get(number) ?? 0;
			const own = found.filter(({ status }) => status !== 'duplicate');
			count.invented += Math.max(0, own.filter(({ success }) => success === true).length - calls);
			const denials = own.filter(({ status }) => status !== 'already_called' && CERTAINLY_NOT.includes(text(status))).length;
			// A row that the API refused alone leaves the call to the next row of its number, which then shows it.
			const isShown = own.some(({ success, status }) => success === true || status === 'unknown');
			const deniable = execution.settings.callEach ? Math.max(0, found.length - calls) : calls > 0 && !isShown ? 0 : found.length;
			count.denied += Math.max(0, denials - deniable);
		}
	}

	private leaks({ finished }: Execution): boolean {
		const secrets = [this.shape.token, this.shape.storedToken].filter(({ length }) => length >= 6);
		const written = JSON.stringify([finished.data, finished.error?.stack, finished.error?.description, finished.hints]);
		return secrets.some((secret) => written.includes(JSON.stringify(secret).slice(1, -1)));
	}

	/** Whether a row of a run that waited says how its call ended, and that of no other call. */
	private isFollowed({ reached, conversation_id: conversation, settled, consent_id: record, status, success }: IDataObject): boolean {
		if (typeof settled !== 'boolean' || reached === undefined || conversation === undefined) return false;
		if ((reached === true) !== (conversation !== null) || (reached !== null && !settled)) return false;
		if (CERTAINLY_NOT.includes(text(status)) && (reached !== null || !settled)) return false;
		if (this.shape.isLate && !this.wasCutOff && success === true && record !== null && !settled) return false;
		return conversation === null || Number(conversation) - Number(record) === FIRST_CONVERSATION;
	}
}

/** A row of a dry run follows nobody. */
const isLive = ({ status, success }: IDataObject): boolean => status !== 'dry_run' && success !== undefined;

/** Whether a request may have placed its calls, as somebody sees it who does not know the answer's maker. */
function mayHavePlaced({ route, status, fault, dialed }: RecordedRequest): boolean {
	if (route !== 'bulk' && route !== 'call') return false;
	// An answer that nothing disturbed says of each number whether it was dialed, and the journal knows it.
	if (status === 201 && (fault === undefined || fault === 'latency')) return false;
	if (dialed > 0 || status === null) return true;
	if (fault === 'rateLimited' || fault === 'unavailable') return false;
	if (fault === 'respond') return !REFUSALS.includes(status);
	return fault !== undefined && !['latency', 'unauthorized', 'forbidden', 'dailyLimit'].includes(fault);
}

function numbersIn({ body }: RecordedRequest): string[] {
	const { destination, destinations = [] } = (body ?? {}) as { destination?: string; destinations?: Array<string | { phone: string }> };
	return [...(destination === undefined ? [] : [destination]), ...destinations.map((each) => (typeof each === 'string' ? each : each.phone))];
}

/** Whether a text shows the whole number of a person, however it is written. */
function holdsNumber(shown: string, rows: readonly Row[]): boolean {
	const digits = shown.replace(/[\s()./-]/g, '');
	return rows.some(({ number, item }) =>
		[number?.slice(3), text(item.phone).slice(0, 100).replace(/[^\d]/g, '')].some(
			(each) => each !== undefined && each.length >= 7 && digits.includes(each),
		),
	);
}
