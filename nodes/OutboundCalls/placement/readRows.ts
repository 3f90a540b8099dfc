import type { IExecuteFunctions } from 'n8n-workflow';
import { type Checked, ok } from '../domain/problem';
import { variablesFromJson } from '../domain/promptVariables';
import type { RawRow } from '../domain/row';
import {
	type Assignments,
	type DestinationEntry,
	destinationFields,
	destinationsFromJson,
	fieldsHolding,
	nothingToCall,
	variablesFromAssignments,
	variablesFromInput,
} from '../domain/rowSources';
import { perItem, type PerItem, rawParameter, tryRead } from '../execution/parameters';

type Entries = Checked<Array<readonly [string, unknown]>>;

/** Where the numbers of a run come from. */
export type DestinationSource = 'items' | 'list' | 'json';

/** Where the prompt variables of a run come from. */
export type VariablesFrom = 'fields' | 'input' | 'json';

/** The rows of a run, read from the parameters one after the other and not yet checked. */
export function* readRows(
	context: IExecuteFunctions,
	source: DestinationSource,
	variablesFrom: VariablesFrom,
	remembers: boolean,
): Generator<RawRow> {
	const items = context.getInputData();
	const fields = {
		mode: perItem<unknown>(context, 'mode', 'dryRun'),
		agentNumber: perItem<unknown>(context, 'agentNumber', ''),
		callerNumber: perItem<unknown>(context, 'callerNumber', ''),
		country: perItem<unknown>(context, 'defaultCountry', ''),
		externalCallId: perItem<unknown>(context, 'options.externalCallId', ''),
		callOnceKey: remembers ? perItem<unknown>(context, 'options.callOnceKey', '') : () => '',
		timeZone: perItem<unknown>(context, 'options.timeZone', ''),
		noCallDates: perItem<unknown>(context, 'options.noCallDates', null),
		optedOut: perItem<unknown>(context, 'options.optedOut', ''),
	};
	/** Until it is known: a row that cannot be read may be of a person who asked not to be called. */
	const mayOptOut = rawParameter(context, 'options.optedOut') !== undefined;
	const entries = source === 'items' ? oneEntry(context) : source === 'list' ? listEntries(context) : jsonEntries(context);
	const variables = sharedVariables(context, variablesFrom);

	for (let itemIndex = 0; itemIndex < items.length; itemIndex++) {
		let failed: Checked<never> | undefined;
		// Each field by itself: whose row it is, and whether they asked not to be called, counts for other rows too, whatever else cannot be read.
		const read = <T>(field: PerItem<T>, otherwise: T): T => {
			const value = tryRead(() => ok(field(itemIndex)));
			if (value.ok) return value.value;
			failed ??= value;
			return otherwise;
		};
		const mode = read(fields.mode, undefined);
		const destinations = read(entries, UNREADABLE);
		const shared = {
			itemIndex,
			mode,
			optedOut: read(fields.optedOut, mayOptOut),
			agentNumber: read(fields.agentNumber, ''),
			callerNumber: read(fields.callerNumber, ''),
			country: read(fields.country, ''),
			externalCallId: read(fields.externalCallId, ''),
			callOnceKey: read(fields.callOnceKey, ''),
			timeZone: read(fields.timeZone, ''),
			noCallDates: read(fields.noCallDates, null),
		};
		for (const { phone, variables: own } of destinations) {
			yield { ...shared, destination: phone, variables: failed ?? tryRead(() => merged(variables(itemIndex, phone), own)) };
		}
	}
}

const NO_VARIABLES: Entries = ok([]);

/** Nobody knows how many destinations there are. */
const UNREADABLE: DestinationEntry[] = [{ phone: '', variables: NO_VARIABLES }];

function oneEntry(context: IExecuteFunctions): PerItem<DestinationEntry[]> {
	const destination = perItem<unknown>(context, 'destination', '');
	return (itemIndex) => [{ phone: destination(itemIndex), variables: NO_VARIABLES }];
}

function listEntries(context: IExecuteFunctions): PerItem<DestinationEntry[]> {
	const list = perItem<{ destination?: Array<{ phone?: unknown; promptVariables?: Assignments }> }>(context, 'destinationList', {});
	return (itemIndex) => {
		const destinations = list(itemIndex).destination ?? [];
		return destinations.length > 0
			? destinations.map(({ phone, promptVariables }) => ({
					phone,
					variables: ok(variablesFromAssignments(promptVariables)),
				}))
			: [{ phone: '', variables: nothingToCall('the list of destinations is empty') }];
	};
}

function jsonEntries(context: IExecuteFunctions): PerItem<DestinationEntry[]> {
	const json = perItem<unknown>(context, 'destinationsJson', '[]');
	return (itemIndex) => {
		const entries = destinationsFromJson(json(itemIndex));
		return entries.ok ? entries.value : [{ phone: '', variables: entries }];
	};
}

/** The prompt variables that an item gives to each of its destinations. */
function sharedVariables(context: IExecuteFunctions, from: VariablesFrom): (itemIndex: number, destination: unknown) => Entries {
	if (from === 'json') {
		const json = perItem<unknown>(context, 'promptVariablesJson', '{}');
		return (itemIndex) => variablesFromJson(json(itemIndex));
	}
	if (from === 'input') {
		const items = context.getInputData();
		const named = destinationFields(rawParameter(context, 'destination'));
		const leftOut = perItem<string | number | null>(context, 'fieldsToLeaveOut', '');
		return (itemIndex, destination) => {
			const input = items[itemIndex]!.json;
			const without = new Set(named.size > 0 ? named : fieldsHolding(input, destination));
			for (const name of String(leftOut(itemIndex) ?? '').split(',')) without.add(name.trim());
			return variablesFromInput(input, without);
		};
	}
	const assignments = perItem<Assignments>(context, 'promptVariables', {});
	return (itemIndex) => ok(variablesFromAssignments(assignments(itemIndex)));
}

/** A destination's own variables go before the shared ones of the same name. */
function merged(shared: Entries, own: Entries): Entries {
	if (!shared.ok || !own.ok) return own.ok ? shared : own;
	return own.value.length === 0 ? shared : ok([...shared.value, ...own.value]);
}
