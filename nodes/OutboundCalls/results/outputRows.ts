import { type CallOutcome, isCalled, type RowOutcome } from '../domain/callOutcome';
import type { Fields } from '../domain/fields';
import { plainText } from '../domain/format';
import type { Row } from '../domain/row';
import type { Execution, OutputItem } from '../execution/execution';
import { flatRow } from '../execution/flatRow';
import { Slices } from '../execution/slices';
import { type Column, COLUMNS, NO_IDS } from './columns';
import type { FollowedCall } from './followCalls';
import { without } from '../domain/json';

interface OutputOptions {
	operation: 'bulkCall' | 'placeCall';
	/** Fields of the input that rows do not carry. */
	leaveOut: 'all' | ReadonlySet<string>;
	followed: ReadonlyMap<RowOutcome, FollowedCall>;
	/** In a dry run, the number of each row's request, by position. */
	requests: ReadonlyMap<number, number>;
}

type Columns = Partial<Record<Column, Fields[string]>>;

/**
 * The items of All Rows, Called and Not Called: each row is on the first one, and the same item on one of the others, so that
 * the host stores it once. What the host puts out by itself goes to the first one, too (n8n behaviour).
 */
export async function outputRows(
	{ binaryOf, input, signal }: Execution,
	rows: readonly RowOutcome[],
	options: OutputOptions,
): Promise<OutputItem[][]> {
	const slices = new Slices(signal);
	const ownColumns = new Set<string>(COLUMNS[options.operation]);
	// A name in the API's answer to one row is ours in all rows, so that a column means the same in each.
	for (const { outcome } of rows) for (const name in outcome.answer) ownColumns.add(name);
	const [all, called, notCalled]: [OutputItem[], OutputItem[], OutputItem[]] = [[], [], []];
	for (const each of rows) {
		const { itemIndex } = each.row;
		const fields = withoutColumns(input[itemIndex]!, options.leaveOut);
		const json = flatRow(headOf(each, options), fields, tailOf(each, options), ownColumns);
		const binary = options.leaveOut === 'all' ? undefined : binaryOf(itemIndex);
		const item = { json, pairedItem: { item: itemIndex }, ...(binary && { binary }) };
		all.push(item);
		(isCalled(each.outcome) ? called : notCalled).push(item);
		if (slices.isOver) await slices.rest();
	}
	return [all, called, notCalled];
}

function withoutColumns(fields: Fields, leaveOut: OutputOptions['leaveOut']): Fields {
	if (leaveOut === 'all') return {};
	return leaveOut.size === 0
		? fields
		: Object.fromEntries(Object.entries(fields).filter(([name]) => !leaveOut.has(name)));
}

function headOf(each: RowOutcome, { followed }: OutputOptions): Columns {
	const { row, outcome } = each;
	const { status, called } = outcome;
	const call = isPlaced(each) ? followed.get(each) : undefined;
	const said = outcome.reason;
	const reason = call?.cannotBeFollowed ? sentences(said, NOT_FOLLOWED) : said;
	const head: Columns = {
		status,
		called,
		...(call && { reached: call.reached }),
		reason: reason === null ? null : plainText(reason),
		destination: row.destination,
	};
	if ('originalDestination' in row) head.original_destination = row.originalDestination;
	return head;
}

function tailOf(each: RowOutcome, { operation, followed, requests }: OutputOptions): Fields {
	const { row, outcome } = each;
	const later = outcome.called === 'no' ? laterOf(outcome) : undefined;
	const dry = row.isDry && !('problem' in row) ? dryFields(row, requests) : {};
	if (!isPlaced(each)) return { ...later, ...dry };
	const ids = (outcome.answer ?? NO_IDS[operation]) as Fields;
	const call = without<Partial<FollowedCall>, (typeof NO_COLUMNS)[number]>(
		followed.get(each) ?? {},
		...NO_COLUMNS,
	);
	const test: Columns =
		outcome.called === 'no' && outcome.test ? { tested_at_number: outcome.test.calledAt } : {};
	return {
		...later,
		...test,
		...dry,
		success: outcome.success,
		...ids,
		...(call satisfies Columns),
	};
}

/** What is known of a followed call that stands elsewhere, or nowhere. */
const NO_COLUMNS = ['reached', 'neverDialed', 'cannotBeFollowed'] as const;

const NOT_FOLLOWED =
	'The API’s answer does not name its call record, so this call cannot be followed. Your dashboard shows how it ended.';

const sentences = (first: string | null, second: string): string =>
	first === null ? second : `${first.replace(/\.$/, '')}. ${second}`;

/** Whether the row is live, or the one of a test that was called at the user's own phone. */
const isPlaced = ({ row, outcome }: RowOutcome): boolean =>
	!row.isDry || (outcome.called === 'no' && outcome.test !== undefined);

/** From when the person may be called. */
const laterOf = ({
	hours,
	callableAt,
}: Exclude<CallOutcome, { called: 'yes' | 'maybe' }>): Columns | undefined =>
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
