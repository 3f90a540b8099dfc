import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { DurableStore } from '../engine/durableStore';
import { apiOf, run, type Finished, type RunRequest } from '../engine/harness';
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
	unknown: number;
	/** Rows that report a call that the journal does not have. */
	invented: number;
	/** Rows that report no call although the journal has one. */
	denied: number;
	/** Runs in which the token stood in an output, a message or the execution's record. */
	leaks: number;
	requests: number;
	resumes: number;
}

interface Row extends IDataObject {
	phone: string;
	name: string;
	amount: number;
}

interface Shape {
	operation: 'bulkCall' | 'placeCall';
	source: 'items' | 'list' | 'json';
	onError: NonNullable<INode['onError']>;
	retry?: { tries: number; waitMs: number };
	callEach: boolean;
	callOnce: boolean;
	/** How the campaign is interrupted now and then: by the Stop button, or by killing the process. */
	breakOff: 'never' | 'stop' | 'kill';
}

const AGENT = '+15550002000';
const REFUSED_ROWS: readonly UndialedStatus[] = ['failed', 'skipped', 'locked', 'rate_limited', 'temporarily_unavailable'];
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
	const latency = sandbox.settings.latencyMs;
	if (shape.breakOff !== 'never') sandbox.settings.latencyMs = 2;

	// Small but real waits: the jitter of a campaign comes from its seed.
	const realRandom = Math.random;
	Math.random = () => chance.next() * 0.004;
	try {
		return await runToTheEnd(chance, shape, rows, sandbox);
	} finally {
		Math.random = realRandom;
		sandbox.settings.latencyMs = latency;
	}
}

function shapeOf(chance: Chance): Shape {
	const operation = chance.is(0.75) ? 'bulkCall' : 'placeCall';
	const callOnce = chance.is(0.35);
	const onError = chance.of(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const);
	return {
		operation,
		source: operation === 'bulkCall' ? chance.of(['items', 'items', 'list', 'json'] as const) : 'items',
		onError,
		...(chance.is(0.5) ? { retry: { tries: chance.int(2, 4), waitMs: 1 } } : {}),
		callEach: !callOnce && chance.is(0.3),
		callOnce,
		breakOff: callOnce ? chance.of(['never', 'kill'] as const) : onError === 'stopWorkflow' ? chance.of(['never', 'stop'] as const) : 'never',
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
	if (onError !== 'stopWorkflow') {
		for (const row of rows) if (chance.is(0.04)) row.phone = `0${row.phone.slice(2)}`;
	}
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

async function runToTheEnd(chance: Chance, shape: Shape, rows: Row[], sandbox: Sandbox): Promise<Count> {
	const count: Count = { rows: rows.length, dialed: 0, twice: 0, lost: 0, unknown: 0, invented: 0, denied: 0, leaks: 0, requests: 0, resumes: 0 };
	let input = rows;
	let before: Finished | undefined;
	let finished: Finished;
	for (;;) {
		const breakOffNow = shape.breakOff !== 'never' && count.resumes < RESUMES_WITH_FAULTS && chance.is(0.6);
		if (count.resumes === RESUMES_WITH_FAULTS) sandbox.clearFaults();
		const request = requestOf(chance, shape, input, sandbox);
		const interrupted = breakOffNow ? await brokenOff(request, before, chance, sandbox) : undefined;
		const broken = interrupted?.broken ?? false;
		finished = interrupted?.finished ?? (await run({ ...request, retryOf: before }));
		if (JSON.stringify([finished.data, finished.error?.stack]).includes(sandbox.token)) count.leaks++;
		// The stop came too late: the output is final.
		if (finished.outputStands && (!broken || shape.breakOff === 'stop')) break;
		if (++count.resumes > MOST_RESUMES)
			throw new Error(`seed ${chance.seed}: no end after ${MOST_RESUMES} resumes: ${finished.error?.message ?? 'no message'}`);
		// A killed process leaves nothing but the database; otherwise the Retry button goes on.
		before = broken && shape.breakOff === 'kill' ? undefined : finished;
		if (shape.source === 'items' && chance.is(0.3)) {
			input = chance.shuffled(input);
			if (before) before = { ...before, data: withInput(before.data, input) };
		}
	}
	if (shape.breakOff !== 'never') await quiet(sandbox);
	compare(count, shape, input, finished, sandbox);
	return count;
}

function requestOf(chance: Chance, shape: Shape, rows: Row[], sandbox: Sandbox): RunRequest {
	const assignments = (value: (name: 'name' | 'amount') => unknown) => ({
		assignments: [
			{ id: '1', name: 'name', value: value('name'), type: 'string' },
			{ id: '2', name: 'amount', value: value('amount'), type: 'number' },
		],
	});
	const fromItems = shape.source === 'items';
	const parameters: IDataObject = {
		resource: 'call',
		operation: shape.operation,
		agentNumber: AGENT,
		destinationSource: shape.source,
		destination: '={{ $json.phone }}',
		promptVariables: fromItems ? assignments((name) => `={{ $json.${name} }}`) : {},
		destinationList: { destination: rows.map((row) => ({ phone: row.phone, promptVariables: assignments((name) => row[name]) })) },
		destinationsJson: JSON.stringify(rows.map(({ phone, name, amount }) => ({ phone, prompt_variables: { name, amount } }))),
		options: {
			parallelRequests: chance.int(1, 10),
			maxRetryWait: chance.of([0, 1, 2]),
			timeout: 1,
			duplicates: shape.callEach ? 'callEach' : 'callOnce',
			retryUndialed: chance.is(0.4),
			callOnce: shape.callOnce,
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
	const dials = new Map<string, number>();
	const own = new Set(rows.map(({ phone }) => phone));
	const journal = sandbox.journal.filter(({ phone }) => own.has(phone));
	for (const { phone } of journal) dials.set(phone, (dials.get(phone) ?? 0) + 1);
	const wanted = new Map<string, number>();
	for (const { phone } of rows) wanted.set(phone, shape.callEach ? (wanted.get(phone) ?? 0) + 1 : 1);
	for (const [phone, times] of dials) if (times > (wanted.get(phone) ?? 0)) count.twice++;
	count.dialed = journal.length;
	count.requests = sandbox.requests.length;

	const outcomes = shape.source === 'items' ? byItem([...finished.items, ...finished.errorItems]) : finished.items;
	// List and JSON rows come from one item, so on the error output only their number can be compared.
	const split = shape.source !== 'items' && shape.onError === 'continueErrorOutput';
	if (split) {
		count.lost += Math.abs(rows.length - finished.items.length - finished.errorItems.length);
	} else {
		rows.forEach((row, position) => {
			const outcome = outcomes[position];
			if (!outcome || !isOutcomeOf(row, outcome)) count.lost++;
			else judge(count, row.phone, outcome.json, dials, shape);
		});
		if (outcomes.length !== rows.length) count.lost += Math.abs(outcomes.length - rows.length);
	}
}

/** Outcomes in the place of the item that they are paired with; a second one for the same item would be lost here. */
function byItem(items: INodeExecutionData[]): INodeExecutionData[] {
	const places: INodeExecutionData[] = [];
	for (const item of items) {
		const { pairedItem } = item;
		const place = typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1;
		if (places[place]) throw new Error(`Item ${place} has two outcomes`);
		places[place] = item;
	}
	return places;
}

function isOutcomeOf({ phone }: Row, { json }: INodeExecutionData): boolean {
	if (json.error !== undefined) return true;
	// Place Call passes the API's answer through, which does not name the number.
	return json.destination === phone || (json.destination === undefined && json.call_id !== undefined);
}

function judge(count: Count, phone: string, json: IDataObject, dials: Map<string, number>, { callEach, callOnce }: Shape): void {
	const dialed = dials.has(phone);
	// One of a number's calls may be placed and another not.
	if (callEach) return;
	if (json.status === 'unknown' || (json.status === 'duplicate' && json.success === false && dialed)) count.unknown++;
	else if (json.status === 'already_called') return;
	else if (json.error !== undefined || json.success === false) {
		// With Call Once, the call may be one of an earlier run that ended before it learned of it.
		if (dialed && !callOnce) count.denied++;
	} else if (!dialed) count.invented++;
}

/** A client that is gone may have left connections that the server has not read yet. */
async function quiet(sandbox: Sandbox): Promise<void> {
	for (let seen = -1; seen !== sandbox.requests.length || sandbox.inFlight > 0;) {
		seen = sandbox.requests.length;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}
