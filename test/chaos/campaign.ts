import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { DurableStore } from '../engine/durableStore';
import { apiOf, run, type Finished, type RunRequest } from '../engine/harness';
import { text } from '../engine/workflows';
import type { FaultRule, Sandbox, UndialedStatus } from '../sandbox';
import { Chance } from './random';

/** What a campaign came to, counted against the sandbox's journal. */
export interface Count {
	rows: number;
	dialed: number;
	/** Numbers that were called more often than they should be. */
	twice: number;
	/** Rows without exactly one outcome in its place. */
	lost: number;
	/** Rows without a status, or with a field that n8n takes for a failure. */
	noStatus: number;
	unknown: number;
	/** Rows that report a call that the journal does not have. */
	invented: number;
	/** Rows that report no call although the journal has one. */
	denied: number;
	/** Rows on Called of people who certainly were not called, and rows on Not Called of others. */
	wrongOutput: number;
	/** Rows of a run that waited that do not say how their own call ended. */
	unfollowed: number;
	/** Runs in which the token stood in an output, a message or the execution's record. */
	leaks: number;
	requests: number;
	resumes: number;
}

const none = (): Count => ({
	rows: 0,
	dialed: 0,
	twice: 0,
	lost: 0,
	noStatus: 0,
	unknown: 0,
	invented: 0,
	denied: 0,
	wrongOutput: 0,
	unfollowed: 0,
	leaks: 0,
	requests: 0,
	resumes: 0,
});

/** What must not happen, by its name in `Count`. */
export function broken({ twice, lost, noStatus, invented, denied, wrongOutput, unfollowed, leaks }: Count) {
	return { twice, lost, noStatus, invented, denied, wrongOutput, unfollowed, leaks };
}

interface Row extends IDataObject {
	phone: string;
	name: string;
	amount?: number;
}

interface Shape {
	operation: 'bulkCall' | 'placeCall';
	source: 'items' | 'list' | 'json';
	onError: NonNullable<INode['onError']>;
	retry?: { tries: number; waitMs: number };
	callEach: boolean;
	calledBefore: 'skip' | 'callAgain';
	/** What the memory knows a row by: its number, a key for each number, or a key for each row. */
	key: 'number' | 'perNumber' | 'perRow';
	waitUntil: 'none' | 'dialed' | 'finished';
	includeInputFields: boolean;
	/** How the campaign is interrupted now and then: by the Stop button, or by killing the process. */
	breakOff: 'never' | 'stop' | 'kill';
}

const AGENT = '+15550002000';
const REFUSED_ROWS: readonly UndialedStatus[] = ['failed', 'skipped', 'locked', 'rate_limited', 'temporarily_unavailable'];
/** The sandbox's conversations have the IDs of their call records, this far apart. */
const FIRST_CONVERSATION = 700_000;
const RESUMES_WITH_FAULTS = 6;
const MOST_RESUMES = 60;

/** Runs one campaign to its end, under the disturbances of its seed, and resumes it as often as necessary. */
export async function campaign(seed: number, mostRows: number, sandbox: Sandbox, store: DurableStore): Promise<Count> {
	const chance = new Chance(seed);
	sandbox.reset();
	sandbox.clearFaults();
	store.clear();
	const shape = shapeOf(chance);
	const rows = rowsOf(chance, chance.int(1, mostRows), shape);
	for (const row of rows) {
		if (chance.is(0.05)) {
			sandbox.destinationOutcome.set(row.phone, { status: chance.of(REFUSED_ROWS), error: 'Not dialed', times: chance.int(1, 2) });
		}
	}
	for (let i = chance.int(0, 5); i > 0; i--) sandbox.fault(faultOf(chance));
	if (shape.waitUntil !== 'none') for (let i = chance.int(0, 2); i > 0; i--) sandbox.fault(readFaultOf(chance));
	const latency = sandbox.settings.latencyMs;
	if (shape.breakOff !== 'never') sandbox.settings.latencyMs = 2;

	// Small but real waits: the jitter of a campaign comes from its seed.
	const realRandom = Math.random;
	Math.random = () => chance.next() * 0.004;
	try {
		const count = await runToTheEnd(chance, shape, rows, sandbox);
		if (shape.calledBefore === 'skip') await onceMore(chance, shape, rows, count, sandbox);
		return count;
	} finally {
		Math.random = realRandom;
		sandbox.settings.latencyMs = latency;
	}
}

function shapeOf(chance: Chance): Shape {
	const operation = chance.is(0.75) ? 'bulkCall' : 'placeCall';
	const source = operation === 'bulkCall' ? chance.of(['items', 'items', 'list', 'json'] as const) : 'items';
	const calledBefore = chance.of(['skip', 'callAgain'] as const);
	const remembers = calledBefore === 'skip';
	return {
		operation,
		source,
		onError: chance.of(['stopWorkflow', 'stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const),
		...(chance.is(0.5) ? { retry: { tries: chance.int(2, 4), waitMs: 1 } } : {}),
		callEach: chance.is(0.3),
		calledBefore,
		key: remembers && source === 'items' ? chance.of(['number', 'number', 'perNumber', 'perRow'] as const) : 'number',
		waitUntil: operation === 'bulkCall' ? chance.of(['none', 'none', 'dialed', 'finished'] as const) : 'none',
		includeInputFields: chance.is(0.5),
		breakOff: chance.of(remembers ? (['never', 'stop', 'kill'] as const) : (['never', 'stop'] as const)),
	};
}

function rowsOf(chance: Chance, count: number, { onError }: Shape): Row[] {
	const rows: Row[] = [];
	for (let i = 0; i < count; i++) {
		const again = rows.length > 0 && chance.is(0.1);
		// Its own numbers, so that requests of an earlier campaign that are still under way do not count here.
		const phone = again ? chance.of(rows).phone : `+1${chance.seed % 1_000_000}${10_000 + i}`;
		rows.push({ phone, name: `Person ${i}`, amount: i / 2 });
	}
	// At least one row can be called: otherwise there is no campaign, but a message.
	for (const row of rows.slice(1)) if (chance.is(0.04)) row.phone = `0${row.phone.slice(2)}`;
	// The API refuses them, each alone. With Stop, a request of nothing else ends the run however often it is retried.
	if (onError !== 'stopWorkflow') for (const row of rows) if (chance.is(0.04)) delete row.amount;
	return rows;
}

function faultOf(chance: Chance): FaultRule {
	const when = {
		route: chance.of(['bulk', 'call'] as const),
		...(chance.is(0.5) ? { probability: 0.1 + chance.next() * 0.5 } : { after: chance.int(0, 4), times: chance.int(1, 4) }),
	};
	return chance.of<() => FaultRule>([
		() => ({ kind: 'latency', ms: chance.int(1, 10), ...when }),
		() => ({ kind: 'rateLimited', ...when, form: chance.of(['plain', 'allowance'] as const), retryAfter: chance.of([0, 0, 3_600, 'soon', -1]) }),
		() => ({ kind: 'rateLimited', ...when, form: 'allowance', header: false, retryAfter: 0 }),
		() => ({ kind: 'unavailable', ...when, form: chance.of(['plain', 'allowance'] as const) }),
		() => ({ kind: 'gateway', ...when, status: chance.of([502, 503, 504, 429, 500, 404]) }),
		() => ({ kind: 'resetBefore', ...when }),
		() => ({ kind: 'resetAfter', ...when }),
		() => ({ kind: 'truncated', ...when, cut: chance.is(0.5) }),
		() => ({ kind: 'redirect', ...when, status: chance.of([301, 302, 307, 308] as const) }),
		() => ({ kind: 'empty', ...when, status: chance.of([200, 201, 500, 503]), place: chance.is(0.5) }),
		() => ({
			kind: 'respond',
			...when,
			status: chance.of([200, 201, 429, 503]),
			body: chance.of([null, [], 7, 'text', { message: 'busy' }, { results: 'none' }]),
			place: chance.is(0.5),
		}),
		() => ({ kind: 'results', ...when, mode: chance.of(['reorder', 'missing', 'extra', 'repeated', 'noBatchId', 'strangeStatus'] as const) }),
		() => ({ kind: 'unauthorized', ...when }),
		() => ({ kind: 'forbidden', ...when }),
		() => ({ kind: 'dailyLimit', ...when }),
		...(chance.is(0.1) ? [() => ({ kind: chance.of(['hangBefore', 'hangAfter'] as const), route: when.route, times: 1 }) satisfies FaultRule] : []),
	])();
}

/** Faults of the reads while calls are waited for. */
function readFaultOf(chance: Chance): FaultRule {
	const when = {
		route: 'batch' as const,
		...(chance.is(0.5) ? { probability: chance.next() } : { after: chance.int(0, 3), times: chance.int(1, 4) }),
	};
	return chance.of<() => FaultRule>([
		() => ({ kind: 'gateway', ...when }),
		() => ({ kind: 'resetBefore', ...when }),
		() => ({ kind: 'truncated', ...when, cut: chance.is(0.5) }),
		() => ({ kind: 'rateLimited', ...when, retryAfter: chance.of([0, 3_600]) }),
		() => ({ kind: 'unavailable', ...when }),
		() => ({ kind: 'redirect', ...when }),
		() => ({ kind: 'unauthorized', ...when }),
		() => ({ kind: 'respond', ...when, status: 404, body: { success: false, error: 'Batch not found' } }),
		() => ({
			kind: 'respond',
			...when,
			status: 200,
			body: chance.of([null, [], 'text', { success: true }, { success: true, consents: [null, 7, {}] }]),
		}),
	])();
}

async function runToTheEnd(chance: Chance, shape: Shape, rows: Row[], sandbox: Sandbox): Promise<Count> {
	const count: Count = { ...none(), rows: rows.length };
	let input = rows;
	let before: Finished | undefined;
	let finished: Finished;
	for (;;) {
		const breakOffNow = shape.breakOff !== 'never' && count.resumes < RESUMES_WITH_FAULTS && chance.is(0.6);
		if (count.resumes === RESUMES_WITH_FAULTS) sandbox.clearFaults();
		const request = requestOf(chance, shape, input, sandbox);
		const interrupted = breakOffNow ? await brokenOff(request, before, chance, sandbox) : undefined;
		const isBroken = interrupted?.broken ?? false;
		finished = interrupted?.finished ?? (await run({ ...request, retryOf: before }));
		if (JSON.stringify([finished.data, finished.error?.stack]).includes(sandbox.token)) count.leaks++;
		// The stop came too late, or nothing is thrown: the output is final.
		if (finished.outputStands && (!isBroken || shape.breakOff === 'stop')) break;
		if (++count.resumes > MOST_RESUMES)
			throw new Error(`seed ${chance.seed}: no end after ${MOST_RESUMES} resumes: ${finished.error?.message ?? 'no message'}`);
		// A killed process leaves nothing but the database; otherwise the Retry button goes on.
		before = isBroken && shape.breakOff === 'kill' ? undefined : finished;
		if (shape.source === 'items' && chance.is(0.3)) {
			input = chance.shuffled(input);
			if (before) before = { ...before, data: withInput(before.data, input) };
		}
	}
	if (shape.breakOff !== 'never') await quiet(sandbox);
	compare(count, shape, input, finished, sandbox);
	return count;
}

/** Executes a finished campaign once more, without disturbances: nobody whom it called is called again. */
async function onceMore(chance: Chance, shape: Shape, rows: Row[], count: Count, sandbox: Sandbox): Promise<void> {
	sandbox.clearFaults();
	sandbox.destinationOutcome.clear();
	const before = dialsOf(shape, rows, sandbox);
	const finished = await run({ ...requestOf(chance, shape, rows, sandbox), onError: 'continueRegularOutput' });
	const after = dialsOf(shape, rows, sandbox);
	for (const [person, dials] of before) if (after.get(person) !== dials) count.twice++;
	const again = new Set([...before.keys()]);
	for (const { json } of finished.called) {
		// A number's row that was not called may be called now, with a key for each row.
		if (shape.key !== 'perRow' && again.has(text(json.destination))) count.wrongOutput++;
	}
	const outcomes = { ...none(), rows: rows.length };
	judge(outcomes, { ...shape, breakOff: 'kill' }, rows, finished, sandbox);
	for (const name of Object.keys(broken(outcomes)) as Array<keyof Count>) count[name] += outcomes[name];
}

/** Dials of the campaign, by number; by row where each row has a key of its own. */
function dialsOf({ key }: Shape, rows: Row[], sandbox: Sandbox): Map<string, number> {
	const own = new Set(rows.map(({ phone }) => phone));
	const dials = new Map<string, number>();
	for (const { phone, variables } of sandbox.journal) {
		if (!own.has(phone)) continue;
		const person = key === 'perRow' ? variables.name! : phone;
		dials.set(person, (dials.get(person) ?? 0) + 1);
	}
	return dials;
}

function requestOf(chance: Chance, shape: Shape, rows: Row[], sandbox: Sandbox): RunRequest {
	const assignments = (value: (name: 'name' | 'amount') => unknown) => ({
		assignments: [
			{ id: '1', name: 'name', value: value('name'), type: 'string' },
			{ id: '2', name: 'amount', value: value('amount'), type: 'number' },
		].filter((each) => each.value !== undefined),
	});
	const fromItems = shape.source === 'items';
	const parameters: IDataObject = {
		resource: 'call',
		operation: shape.operation,
		mode: 'live',
		agentNumber: AGENT,
		destinationSource: shape.source,
		destination: '={{ $json.phone }}',
		promptVariables: fromItems ? assignments((name) => `={{ $json.${name} }}`) : {},
		destinationList: { destination: rows.map((row) => ({ phone: row.phone, promptVariables: assignments((name) => row[name]) })) },
		destinationsJson: JSON.stringify(rows.map(({ phone, name, amount }) => ({ phone, prompt_variables: { name, amount } }))),
		calledBefore: shape.calledBefore,
		waitUntil: shape.waitUntil,
		pollInterval: 1,
		waitTimeout: chance.of([0, 0.0005]),
		options: {
			parallelRequests: chance.int(1, 10),
			maxRetryWait: chance.of([0, 1, 2]),
			timeout: 1,
			duplicates: shape.callEach ? 'callEach' : 'callOnce',
			retryUndialed: chance.is(0.4),
			includeInputFields: shape.includeInputFields,
			...(shape.key === 'number' ? {} : { callOnceKey: shape.key === 'perRow' ? '=order {{ $json.name }}' : '=spring {{ $json.phone }}' }),
		},
	};
	return {
		parameters: parameters as INodeParameters,
		items: fromItems ? rows : [{}],
		api: apiOf(sandbox),
		onError: shape.onError,
		...(shape.retry ? { retry: shape.retry } : {}),
	};
}

/** Stops the execution after some requests, if it sends that many. */
async function brokenOff(
	request: RunRequest,
	before: Finished | undefined,
	chance: Chance,
	sandbox: Sandbox,
): Promise<{ finished: Finished; broken: boolean }> {
	const until = sandbox.requests.length + chance.int(1, 4);
	let watch: NodeJS.Timeout | undefined;
	let broken = false;
	try {
		const finished = await run({
			...request,
			retryOf: before,
			onStarted: (stop) => {
				watch = setInterval(() => {
					if (sandbox.requests.length < until || broken) return;
					broken = true;
					stop();
				}, 1);
			},
		});
		return { finished, broken };
	} finally {
		clearInterval(watch);
	}
}

function withInput(data: Finished['data'], rows: Row[]): Finished['data'] {
	const copy = JSON.parse(JSON.stringify(data)) as Finished['data'];
	const [next] = copy.executionData?.nodeExecutionStack ?? [];
	if (next?.data.main?.[0]?.length === rows.length) next.data.main[0] = rows.map((json, item) => ({ json, pairedItem: { item } }));
	return copy;
}

function compare(count: Count, shape: Shape, rows: Row[], finished: Finished, sandbox: Sandbox): void {
	const dials = dialsOf(shape, rows, sandbox);
	const wanted = new Map<string, number>();
	const each = shape.callEach && shape.key !== 'perNumber';
	for (const { phone, name } of rows) {
		const person = shape.key === 'perRow' ? name : phone;
		wanted.set(person, each ? (wanted.get(person) ?? 0) + 1 : 1);
	}
	for (const [person, times] of dials) if (times > (wanted.get(person) ?? 0)) count.twice++;
	count.dialed = [...dials.values()].reduce((sum, times) => sum + times, 0);
	count.requests = sandbox.requests.length;
	judge(count, shape, rows, finished, sandbox);
}

/** Statuses of people who certainly were not called by the run that they come out of. */
const CERTAINLY_NOT = ['invalid', 'refused', 'already_called', ...REFUSED_ROWS];

/** Compares each row with the sandbox's journal. */
function judge(count: Count, shape: Shape, rows: Row[], finished: Finished, sandbox: Sandbox): void {
	count.lost += finished.errorItems.length + Math.abs(rows.length - finished.items.length);
	for (const { json } of finished.items) {
		if (typeof json.status !== 'string' || json.status === '' || 'error' in json) count.noStatus++;
		if (json.status === 'unknown') count.unknown++;
		if (shape.waitUntil !== 'none' && !isFollowed(json)) count.unfollowed++;
	}
	for (const { json } of finished.called) if (CERTAINLY_NOT.includes(text(json.status))) count.wrongOutput++;
	for (const { json } of finished.notCalled) if (json.success !== false || json.status === 'unknown') count.wrongOutput++;
	if (shape.source === 'items') count.lost += misplaced(rows, finished.items, shape);

	const journal = groupedBy(sandbox.journal, ({ phone }) => phone);
	const outcomes = groupedBy(finished.items, ({ json }) => text(json.destination));
	for (const [phone, same] of groupedBy(rows, (row) => row.phone)) {
		const found = (outcomes.get(phone) ?? []).map(({ json }) => json);
		if (shape.source !== 'items') count.lost += Math.abs(found.length - same.length);
		const dials = journal.get(phone)?.length ?? 0;
		const own = found.filter(({ status }) => status !== 'duplicate');
		const records = own.filter(({ success }) => success === true);
		count.invented += Math.max(0, records.length - dials);
		// A call of a run that was killed is known to the memory only.
		if (shape.breakOff === 'kill') continue;
		const denials = own.filter(({ status }) => status !== 'already_called' && CERTAINLY_NOT.includes(text(status))).length;
		// A row that the API refused alone leaves the call to the next row of its number, which then shows it.
		const isShown = own.some(({ success, status }) => success === true || status === 'unknown');
		const deniable = shape.callEach ? Math.max(0, same.length - dials) : dials > 0 && !isShown ? 0 : same.length;
		count.denied += Math.max(0, denials - deniable);
	}
}

function groupedBy<T>(values: readonly T[], key: (value: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const value of values) groups.set(key(value), [...(groups.get(key(value)) ?? []), value]);
	return groups;
}

/** Items that are not paired with their row, once for each row. */
function misplaced(rows: Row[], items: INodeExecutionData[], { includeInputFields }: Shape): number {
	const places = new Map<number, IDataObject>();
	for (const { json, pairedItem } of items) {
		const place = typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1;
		if (places.has(place)) throw new Error(`Item ${place} has two outcomes`);
		places.set(place, json);
	}
	return rows.filter((row, position) => {
		const json = places.get(position);
		return !json || json.destination !== row.phone || (includeInputFields && (json.phone !== row.phone || json.name !== row.name));
	}).length;
}

/** Whether a row of a run that waited says how its call ended, and that of no other call. */
function isFollowed({ reached, conversation_id: conversation, settled, consent_id: record, status }: IDataObject): boolean {
	if (typeof settled !== 'boolean' || reached === undefined || conversation === undefined) return false;
	if ((reached === true) !== (conversation !== null) || (reached !== null && !settled)) return false;
	if (CERTAINLY_NOT.includes(text(status)) && (reached !== null || !settled)) return false;
	return conversation === null || Number(conversation) - Number(record) === FIRST_CONVERSATION;
}

/** A client that is gone may have left connections that the server has not read yet. */
async function quiet(sandbox: Sandbox): Promise<void> {
	for (let seen = -1; seen !== sandbox.requests.length || sandbox.inFlight > 0;) {
		seen = sandbox.requests.length;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}
