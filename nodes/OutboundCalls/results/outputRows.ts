import type { CallOutcome, Placement, RowOutcome } from '../domain/callOutcome';
import type { Row } from '../domain/row';
import type { Execution, OutputItem } from '../execution/execution';
import { flatRow } from '../execution/flatRow';
import { Slices } from '../execution/slices';
import { type Column, COLUMNS, NO_IDS } from './columns';
import type { FollowedCall, FollowedCalls } from './followCalls';
import { isTest } from './testRow';
import { type Fields, plainText, without } from '../domain/untrustedValues';

interface OutputOptions {
	operation: 'bulkCall' | 'placeCall';
	isDry: boolean;
	includesInput: boolean;
	followed: FollowedCalls;
	/** In a dry run, the number of each row's request, by position. */
	requests: ReadonlyMap<number, number>;
}

type Columns = Partial<Record<Column, Fields[string]>>;

/** One item for each row, in their order. */
export async function outputRows(
	{ binaryOf, input, signal }: Execution,
	rows: readonly RowOutcome[],
	options: OutputOptions,
): Promise<OutputItem[]> {
	const slices = new Slices(signal);
	const ownColumns = new Set<string>(COLUMNS[options.operation]);
	// A name in the API's answer to one row is ours in all rows, so that a column means the same in
	// each.
	for (const { outcome } of rows) for (const name in outcome.answer) ownColumns.add(name);
	const fieldsOf = inputFields(input, rows, options);
	const items: OutputItem[] = [];
	for (const each of rows) {
		const { itemIndex } = each.row;
		const json = rowOf(each, options, () => fieldsOf(itemIndex), ownColumns);
		const binary = options.includesInput ? binaryOf(itemIndex) : undefined;
		items.push({ json, pairedItem: { item: itemIndex }, ...(binary && { binary }) });
		if (slices.isOver) await slices.rest();
	}
	return items;
}

/** A row whose columns cannot be put together must not cost the others: it comes out alone. */
function rowOf(
	each: RowOutcome,
	options: OutputOptions,
	fields: () => Fields,
	ownColumns: ReadonlySet<string>,
): Fields {
	const head = headOf(each, options);
	try {
		return flatRow(head, fields(), tailOf(each, options), ownColumns);
	} catch {
		return head;
	}
}

/** Leaves out a list of destinations, which would otherwise be repeated in each of its rows. */
function inputFields(
	input: readonly Fields[],
	rows: readonly RowOutcome[],
	{ includesInput }: OutputOptions,
): (itemIndex: number) => Fields {
	if (!includesInput) return () => ({});
	const counts = new Uint32Array(input.length);
	for (const { row } of rows) counts[row.itemIndex]!++;
	return (itemIndex) =>
		counts[itemIndex] === 1
			? input[itemIndex]!
			: Object.fromEntries(
					Object.entries(input[itemIndex]!).filter(([, value]) => !mayBeList(value)),
				);
}

/** No cell that is worth repeating has more characters. */
const LONGEST_CELL = 2_000;

const mayBeList = (value: unknown): boolean =>
	typeof value === 'string'
		? value.length > LONGEST_CELL
		: typeof value === 'object' && value !== null && !(value instanceof Date);

/** The column `called`. */
const CALLED: Record<Placement, string> = {
	placed: 'yes',
	unknown: 'maybe',
	none: 'no',
	otherRow: 'other_row',
};

function headOf(each: RowOutcome, { followed, isDry }: OutputOptions): Columns {
	const { row, outcome } = each;
	const call = isPlaced(each, isDry) ? followed.get(each) : undefined;
	return {
		status: outcome.status,
		called: CALLED[outcome.call],
		...(call && { reached: call.reached }),
		reason: reasonOf(outcome, call),
		destination: row.destination,
	};
}

function tailOf(each: RowOutcome, { operation, followed, isDry, requests }: OutputOptions): Fields {
	const { row, outcome } = each;
	const read = 'problem' in row ? undefined : row;
	const tail: Columns = {
		...(read?.originalDestination === undefined
			? {}
			: { original_destination: read.originalDestination }),
		...(outcome.call === 'none' ? laterOf(outcome) : undefined),
		...(isDry && read ? dryFields(read, requests) : {}),
	};
	if (!isPlaced(each, isDry)) return tail;
	const ids = (outcome.answer ?? NO_IDS[operation]) as Fields;
	const call = followed.get(each) ?? {};
	return {
		...tail,
		success: outcome.success,
		...ids,
		...without<Partial<FollowedCall>, (typeof NO_COLUMNS)[number]>(call, ...NO_COLUMNS),
	};
}

/** What is known of a followed call that stands elsewhere, or nowhere. */
const NO_COLUMNS = ['reached', 'neverDialed', 'cannotBeFollowed'] as const;

/** Whether the row is live, or the one of a test that was called at the user's own phone. */
const isPlaced = (each: RowOutcome, isDry: boolean): boolean => !isDry || isTest(each);

/** A text of the API may be longer than one of ours. */
const LONGEST_REASON = 160;
const LONGEST_QUOTED = 500;
const QUOTE_THE_API = ['refused', 'unknown', 'test_call'];

/** What a row says of itself: it is never empty. */
function reasonOf(outcome: CallOutcome, followed: FollowedCall | undefined): string {
	const { reason, call, answer, status } = outcome;
	if (call === 'placed' && followed) return howItEnded(followed);
	if (reason === null)
		return call === 'placed'
			? 'Call started'
			: call === 'unknown'
				? MAYBE
				: `Not called: ${status}`;
	const isQuoted = answer !== undefined || QUOTE_THE_API.includes(status);
	return wholeSentences(plainText(reason), isQuoted ? LONGEST_QUOTED : LONGEST_REASON);
}

const MAYBE = 'May have been called. Check your dashboard before you call again.';

function howItEnded({ reached, auto_call_error: why, cannotBeFollowed }: FollowedCall): string {
	if (cannotBeFollowed)
		return 'Call started. The API does not name its call record, so it cannot be followed.';
	if (reached === null) return 'Call started. The outcome is not known yet.';
	return reached ? 'Reached' : plainText(`Not reached: ${why ?? 'cancelled'}`, LONGEST_QUOTED);
}

/** As many sentences as fit. */
function wholeSentences(text: string, longest: number): string {
	if (text.length <= longest) return text;
	const end = text.slice(0, longest + 1).lastIndexOf('. ');
	return end > 0 ? text.slice(0, end + 1) : plainText(text, longest);
}

/** From when the person may be called. */
const laterOf = ({
	hours,
	callableAt,
}: Exclude<CallOutcome, { call: 'placed' | 'unknown' }>): Columns | undefined =>
	hours?.columns ?? (callableAt === undefined ? undefined : { callable_at: callableAt });

/** What the request of a dry run would say about the row. */
function dryFields(
	{ position, agentNumber, callerNumber, variables, externalCallId }: Row,
	requests: ReadonlyMap<number, number>,
): Columns {
	const request = requests.get(position);
	return {
		...(request === undefined ? {} : { request }),
		agent_number: agentNumber,
		caller_number: callerNumber ?? null,
		prompt_variables: variables ?? {},
		...(externalCallId === undefined ? {} : { external_call_id: externalCallId }),
	};
}
