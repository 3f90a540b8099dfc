import {
	type CallOutcome,
	isCalled,
	isTest,
	type Placement,
	type RowOutcome,
	rowsRead,
} from '../domain/outcome';
import { timeZonesOf } from '../domain/hours/timeZones';
import { isoIn, offsetAt } from '../domain/hours/zoneTime';
import type { Row } from '../domain/row';
import { agentOf } from '../domain/api/requests';
import { type Fields, plainText, without } from '../domain/values';
import type { OutputItem } from '../execution/execution';
import { flatRow } from './flatRow';
import { Slices } from '../execution/slices';
import type { CallSettings } from '../input/settings';
import { reasonKey, type RunResult } from './runResult';
import { CALL_COLUMNS, type Column, IDS } from '../domain/outputColumns';
import type { FollowedCall } from './followCalls';

type Columns = Partial<Record<Column, Fields[string]>>;

/** What all rows of a run have in common. */
type Table = ReturnType<typeof tableOf>;

function tableOf(result: RunResult) {
	const { settings, operation, rows } = result;
	const columns = CALL_COLUMNS[operation];
	const ownColumns = new Set<string>(settings.simplify ? columns.simple : columns.everything);
	// A name in the API's answer to one row is ours in all rows, so that a column means the same in
	// each.
	if (!settings.simplify)
		for (const { outcome } of rows) for (const name in outcome.answer) ownColumns.add(name);
	return {
		...result,
		isDry: settings.mode !== 'live',
		/** In a test, too: n8n shows a cell in red that only some rows have. */
		hasReached: settings.waiting !== undefined && (settings.mode === 'live' || rows.some(isTest)),
		/** Rows have different agents or callers. */
		agentsDiffer: new Set(rowsRead(rows).map(agentOf)).size > 1,
		/** Reasons that rows only name, by their keys. */
		briefs: new Map(result.reasons.map(({ key, brief }) => [key, brief])),
		/** Columns that are ours. */
		ownColumns,
	};
}

/** One item for each row, in their order. */
export async function outputRows(result: RunResult) {
	const slices = new Slices();
	const { execution, settings, rows } = result;
	const { binaryOf, input } = execution;
	const table = tableOf(result);
	const fieldsOf = inputFields(input, rows, settings);
	const items: OutputItem[] = [];
	for (const each of rows) {
		const { itemIndex } = each.row;
		const json = rowOf(each, table, () => fieldsOf(itemIndex));
		const binary = settings.includeInputFields ? binaryOf(itemIndex) : undefined;
		items.push({ json, pairedItem: { item: itemIndex }, ...(binary && { binary }) });
		if (slices.isOver) await slices.restIfOver();
	}
	return items;
}

/** A row whose columns cannot be put together must not cost the others: it comes out alone. */
function rowOf(each: RowOutcome, table: Table, fields: () => Fields): Fields {
	const head = headOf(each, table);
	try {
		return flatRow(head, fields(), tailOf(each, table), table.ownColumns);
	} catch {
		return head;
	}
}

/** Leaves out a list of destinations, which would otherwise be repeated in each of its rows. */
function inputFields(
	input: readonly Fields[],
	rows: readonly RowOutcome[],
	{ includeInputFields }: CallSettings,
) {
	if (!includeInputFields) return () => ({});
	const counts = new Uint32Array(input.length);
	for (const { row } of rows) counts[row.itemIndex]!++;
	return (itemIndex: number) =>
		counts[itemIndex] === 1
			? input[itemIndex]!
			: Object.fromEntries(
					Object.entries(input[itemIndex]!).filter(([, value]) => !mayBeList(value)),
				);
}

/** No cell that is worth repeating has more characters. */
const MAX_CELL_LENGTH = 2_000;

const mayBeList = (value: unknown) =>
	typeof value === 'string'
		? value.length > MAX_CELL_LENGTH
		: typeof value === 'object' && value !== null && !(value instanceof Date);

/** The columns `called` and, of rows that this run did not call, `reached`. */
const CALLED: Record<Placement, [called: string, reached?: string]> = {
	placed: ['yes'],
	unknown: ['maybe'],
	none: ['no', 'not_called'],
	otherRow: ['other_row', 'other_row'],
};

function headOf(each: RowOutcome, { followed, isDry, hasReached, briefs }: Table) {
	const { row, outcome } = each;
	const { test } = outcome;
	const call = isPlaced(each, isDry) ? followed.get(each) : undefined;
	const [called, notCalled] = CALLED[outcome.call];
	const reached = test ? (call?.reached ?? notCalled) : (notCalled ?? call?.reached);
	return {
		status: outcome.status,
		called,
		...(hasReached && reached && { reached }),
		reason: reasonOf(outcome, call, briefs),
		// n8n shows an empty cell in red.
		destination: test?.number ?? (row.destination || '(none)'),
	};
}

/** The columns after the input's own, as far as the row has them and they are to be shown. */
function tailOf(each: RowOutcome, table: Table): Fields {
	const { heldBack } = each.outcome;
	const row = 'problem' in each.row ? undefined : each.row;
	const later: Columns = {
		callable_at: heldBack?.callableAt,
		held_by: heldBack?.by,
		time_zones: heldBack?.zones,
		original_destination: row?.originalDestination,
	};
	const columns: Fields = {
		...(table.isDry && dryColumns(row, table)),
		...(isPlaced(each, table.isDry) && callColumns(each, row, table)),
		...later,
	};
	return Object.fromEntries(
		Object.entries(columns).filter(
			([name, value]) => value !== undefined && table.ownColumns.has(name),
		),
	);
}

/** Tells what would be said in a call. */
function dryColumns(row: Row | undefined, table: Table) {
	if (!row) return { prompt_variables: {} };
	const { simplify } = table.settings;
	const { position, agentNumber, callerNumber = null, variables = {}, externalCallId } = row;
	return {
		prompt_variables: variables,
		...((table.agentsDiffer || !simplify) && {
			agent_number: agentNumber,
			caller_number: callerNumber,
		}),
		request: table.requests?.get(position),
		external_call_id: simplify ? undefined : externalCallId,
	};
}

/** The IDs of a call, and how it ended. */
function callColumns(each: RowOutcome, row: Row | undefined, table: Table): Fields {
	const { operation, followed, isDry, settings } = table;
	const { answer, success } = each.outcome;
	const call = followed.get(each);
	const own: Columns = {
		called_at: isDry ? undefined : calledAt(each.outcome, row, table),
		...Object.fromEntries(IDS[operation].map((name) => [name, answer?.[name] ?? null])),
		conversation_id: call?.conversation_id,
		success,
		call_sid: operation === 'bulkCall' ? null : undefined,
	};
	// A row that was not called says so in its own `reached`.
	return { ...own, ...(settings.simplify ? {} : answer), ...(call && without(call, 'reached')) };
}

/** On the clock of the person called, if their zones agree; otherwise on the workflow's. */
function calledAt(outcome: CallOutcome, row: Row | undefined, { leftAt, execution }: Table) {
	const at = row && (isCalled(outcome) || outcome.answer) ? leftAt(row.person) : undefined;
	if (!row || at === undefined) return null;
	const zones = row.timeZones ?? timeZonesOf(row.person);
	const agree = zones.every((zone) => offsetAt(zone, at) === offsetAt(zones[0]!, at));
	return isoIn((agree ? zones[0] : undefined) ?? execution.timeZone, at);
}

/** Whether the row is live, or the one of a test that was called at the user's own phone. */
const isPlaced = (each: RowOutcome, isDry: boolean) => !isDry || isTest(each);

/** A text of the API may be longer than one of ours. */
const MAX_REASON_LENGTH = 160;
const MAX_QUOTED_LENGTH = 500;
const QUOTE_THE_API = ['refused', 'unknown', 'test_call'];

/** What a row says of itself: it is never empty. */
function reasonOf(
	outcome: CallOutcome,
	followed: FollowedCall | undefined,
	briefs: Table['briefs'],
) {
	const { reason, call, answer, status } = outcome;
	if (call === 'placed' && followed) return howItEnded(followed);
	const brief = briefs.get(reasonKey(outcome) ?? '');
	if (brief) return plainText(brief, MAX_REASON_LENGTH);
	if (reason === undefined)
		return call === 'placed'
			? 'Call started'
			: call === 'unknown'
				? 'May have been called'
				: `Not called: ${status}`;
	const isQuoted = answer !== undefined || QUOTE_THE_API.includes(status);
	return wholeSentences(plainText(reason), isQuoted ? MAX_QUOTED_LENGTH : MAX_REASON_LENGTH);
}

function howItEnded({ reached, auto_call_error: why, cannotBeFollowed }: FollowedCall) {
	if (cannotBeFollowed) return 'Call started. It cannot be followed';
	if (reached === 'open') return 'Call started. The outcome is not known yet';
	return reached === 'yes'
		? 'Reached'
		: plainText(`Not reached: ${why ?? 'cancelled'}`, MAX_QUOTED_LENGTH);
}

/** Keeps as many whole sentences as fit. */
function wholeSentences(text: string, longest: number) {
	if (text.length <= longest) return text;
	const end = text.slice(0, longest + 1).lastIndexOf('. ');
	return end > 0 ? text.slice(0, end + 1) : plainText(text, longest);
}
