import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { apiOf, run, type Finished } from '../engine/helpers/harness';
import type { Sandbox } from '../sandbox';
import type { Count } from './count';
import { readFault } from './faults';
import { later } from './later';
import type { Chance } from './random';
import { maxRetryWait, mayHang, timeoutFor } from './waits';

/** In minutes: 30 ms. */
const SHORT_WAIT = 0.0005;

/** More than the pages of a batch, each asked for as often as is sensible. */
const MOST_REQUESTS = 150;
/** A server that sends a new page whatever is asked for. */
const MOST_PAGES = 1_100;

/** Reads or cancels a batch of several pages, under disturbances; each of its records is told once, as it is. */
export async function readBatches(chance: Chance, sandbox: Sandbox, count: Count): Promise<void> {
	sandbox.reset();
	// A pause of the campaign before is over.
	later();
	sandbox.settings.pageOverlap = chance.of([0, 0, 1, 5, 19]);
	const isDialed = chance.is(0.5);
	const phones = Array.from(
		{ length: chance.int(1, 50) },
		(_, i) => `+1555${chance.seed % 1_000_000}${10_000 + i}`,
	);
	const { batchId, consentIds } = sandbox.addBatch({
		phones,
		dialAfterMs: isDialed ? 0 : 3_600_000,
	});
	const isTidy = disturb(chance, sandbox);
	const cancels = chance.is(0.5);
	const from = sandbox.requests.length;
	let watch: NodeJS.Timeout | undefined;
	const parameters = cancels ? cancelling(chance, sandbox) : reading(chance, sandbox);
	const finished = await run({
		parameters,
		items: Array.from({ length: chance.int(1, 2) }, () => ({ batch_id: batchId })),
		api: apiOf(sandbox),
		onError: chance.of(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput']),
		onStarted: (stop) => {
			watch = setInterval(() => {
				if (sandbox.requests.length - from > 2 * MOST_PAGES) stop();
			}, 5);
		},
	});
	clearInterval(watch);
	const requests = sandbox.requests.slice(from);
	const isFlooded = requests.some(({ fault }) => fault === 'pages') && !isTidy;
	if (requests.length > (isFlooded ? MOST_PAGES : MOST_REQUESTS)) count.endless++;
	const cancelled = requests
		.filter(({ route, status }) => route === 'cancel' && status === 200)
		.map(({ path }) => path);
	count.misread += cancelled.length - new Set(cancelled).size;
	const isHindered =
		mayHang(sandbox) ||
		requests.some(({ route, fault }) => route === 'cancel' && fault !== undefined);
	// A limit is not waited for longer than calls are.
	const isShort =
		parameters.waitTimeout === SHORT_WAIT && requests.some(({ status }) => status === 503);
	count.misread += misread(
		finished,
		consentIds,
		isTidy && !isShort,
		(row) => cancels && toldWrong(row, isDialed, isHindered),
	);
}

/** The rows that are given twice, left out, or told to be cancelled although their call was placed. */
function misread(
	{ items, errorItems, error }: Finished,
	ids: readonly number[],
	isTidy: boolean,
	isWrong: (row: IDataObject) => boolean,
): number {
	const rows = items.map(({ json }) => json).filter(({ id }) => id !== undefined);
	const given = rows.map(({ id }) => Number(id));
	let found = given.length - new Set(given).size;
	const isWhole = isTidy && !error && errorItems.length === 0 && rows.length === items.length;
	if (isTidy && !isWhole) found++;
	if (isWhole) found += ids.filter((id) => !given.includes(id)).length;
	return found + rows.filter(isWrong).length;
}

/** A request to cancel that was refused for now, or not answered, proves nothing of its call. */
const UNDECIDED = ['unknown', 'not_cancelled'];

const toldWrong = (
	{ cancelled, status }: IDataObject,
	isDialed: boolean,
	isHindered: boolean,
): boolean => {
	const isUndecided = cancelled === false && UNDECIDED.includes(status as string);
	if (isDialed)
		return cancelled !== false || (status !== 'already_placed' && !(isHindered && isUndecided));
	return cancelled !== true && !isUndecided;
};

/** Whether what is left of the API still gives each record. */
function disturb(chance: Chance, sandbox: Sandbox): boolean {
	const { settings } = sandbox;
	if (chance.is(0.5)) settings.alreadyPlacedStatus = 200;
	const kind = chance.of(['none', 'passing', 'repeated', 'endless', 'random'] as const);
	if (kind === 'passing') {
		sandbox.fault({ kind: 'unavailable', route: 'batch', times: chance.int(1, 2) });
		sandbox.fault({ kind: 'rateLimited', route: 'cancel', times: chance.int(1, 3), retryAfter: 0 });
	}
	if (kind === 'repeated') sandbox.fault({ kind: 'pages', route: 'batch', mode: 'repeated' });
	if (kind === 'endless')
		sandbox.fault({
			kind: 'pages',
			route: 'batch',
			mode: chance.is(0.1) ? 'strangers' : chance.of(['more', 'empty']),
		});
	if (kind === 'random') sandbox.fault(readFault(chance));
	return kind !== 'endless' && kind !== 'random';
}

// The waits of two refusals fit in, however long chance makes them.
const optionsFor = (sandbox: Sandbox): INodeParameters => ({
	timeout: timeoutFor(sandbox),
	maxRetryWait: maxRetryWait(10),
});

const reading = (chance: Chance, sandbox: Sandbox): INodeParameters => ({
	resource: 'batch',
	operation: 'getBatch',
	batchId: '={{ $json.batch_id }}',
	waitUntil: chance.of(['none', 'dialed', 'finished']),
	waitTimeout: chance.of([0, SHORT_WAIT]),
	pollInterval: 1,
	options: optionsFor(sandbox),
});

const cancelling = (chance: Chance, sandbox: Sandbox): INodeParameters => ({
	resource: 'batch',
	operation: 'cancelBatch',
	batchId: '={{ $json.batch_id }}',
	options: { ...optionsFor(sandbox), parallelRequests: chance.int(1, 10) },
});
