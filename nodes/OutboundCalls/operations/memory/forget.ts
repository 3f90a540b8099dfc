import type { INodeProperties } from 'n8n-workflow';
import {
	type Checked,
	formatCount,
	listed,
	isBlank,
	ok,
	problem,
	quoted,
	thrownReason,
} from '../../domain/values';
import { readOnceForEach } from '../../domain/onceForEach';
import { SEPARATORS } from '../../domain/optOuts';
import { recognizePhoneNumber } from '../../domain/phone/phone';
import type { Execution } from '../../execution/execution';
import { tryRead } from '../../execution/parameters';
import { RunParameters } from '../../execution/runParameters';
import { Slices } from '../../execution/slices';
import { choiceField, showWhen } from '../../fields/common';
import { forgetPeople, type ToForget } from '../../memory/forgetPeople';
import { KeyList } from '../../memory/keyList';
import type { Handler, Operation } from '../operation';

const fields: INodeProperties[] = [
	choiceField('forgetWhat', 'Which people this workflow should forget'),
	{
		displayName: 'People to Forget',
		name: 'people',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. +14155550123, +14155550124',
		description:
			'Phone numbers with + and country code, separated by commas or line breaks, or a list of them. For calls made with Once for Each, add its values, such as the appointment.',
		...showWhen({ forgetWhat: ['people'] }),
	},
];

export const forget: Operation = {
	value: 'forget',
	name: 'Forget People',
	action: 'Forget people who were called',
	description: 'Let this workflow call people again',
	fields,
};

/**
 * One item: how many entries were removed. Throws if somebody to forget cannot be read, and if the
 * database cannot be used.
 */
export const handleForget: Handler = async (execution) => {
	const parameters = new RunParameters(execution);
	const what = parameters.choice('forgetWhat');
	await parameters.check();
	const whom = what === 'people' ? await readPeople(execution) : undefined;
	const list = new KeyList(execution.keyStore, execution.signal);
	const pairedItem = execution.input.map((_item, item) => ({ item }));
	try {
		const { removed: forgotten, unknown } = whom
			? await forgetPeople(list, whom, execution.timeZone, Date.now())
			: { removed: await list.clear(), unknown: [] };
		return [{ json: { forgotten, reason: reasonOf(forgotten, what, unknown) }, pairedItem }];
	} catch (thrown) {
		throw execution.operationError({
			message: `The call history in n8n’s database is not available${thrownReason(thrown)}`,
			remedy:
				'Execute again: some people may still be remembered. If this workflow is new, save it first.',
		});
	}
};

function reasonOf(forgotten: number, what: 'people' | 'everybody', unknown: readonly string[]) {
	if (what === 'everybody')
		return 'The call history is empty. Live needs a dry run or a test again.';
	if (forgotten === 0)
		return 'This workflow remembers none of them. For Once for Each, add its values to the numbers.';
	const removed = `${formatCount(forgotten)} ${forgotten === 1 ? 'entry' : 'entries'} removed`;
	return unknown.length === 0 ? removed : `${removed}. Not remembered here: ${listed(unknown)}`;
}

/**
 * Of all items. Throws before anything is forgotten if one of them cannot be read, or if all are
 * empty.
 */
async function readPeople(execution: Execution) {
	const value = execution.parameters.perItem('people');
	const slices = new Slices();
	const whom: ToForget[] = [];
	for (let itemIndex = 0; itemIndex < execution.input.length; itemIndex++) {
		const cell = tryRead(() => ok(value(itemIndex)));
		const read = cell.ok ? await readEntries(cell.value, slices) : cell;
		if (!read.ok) {
			const message = `Row ${execution.rowNumber(itemIndex)}: ${read.error.message}`;
			throw execution.operationError(read.error, message);
		}
		whom.push(read.value);
	}
	if (whom.some(({ people }) => people.length > 0)) return whom;
	throw execution.operationError({
		message: 'People to Forget contains no phone number',
		remedy: 'Enter numbers with + and country code. Nobody was forgotten.',
	});
}

/**
 * Phone numbers, and values of Once for Each: a text with commas, semicolons or line breaks
 * between, or a list.
 */
async function readEntries(value: unknown, slices: Slices): Promise<Checked<ToForget>> {
	const cells: unknown[] =
		typeof value === 'string' ? value.split(SEPARATORS) : Array.isArray(value) ? value : [value];
	const people: string[] = [];
	const values: string[] = [];
	for (const cell of cells) {
		await slices.restIfOver();
		if (isBlank(cell)) continue;
		const number = recognizePhoneNumber(cell);
		const entry = number.ok ? undefined : readOnceForEach(cell);
		if (number.ok) people.push(number.value.person);
		else if (entry?.ok) values.push(entry.value);
		else
			return problem(
				`${quoted(cell)} is neither a phone number nor a value of Once for Each`,
				'Use one field of each row, such as the phone number. Nobody was forgotten.',
			);
	}
	// Values belong to the people of their own item.
	return people.length === 0 && values.length > 0
		? problem(
				`People to Forget is ${quoted(value)}, which contains no phone number with +`,
				'Enter numbers with + and country code. Nobody was forgotten.',
			)
		: ok({ people, values });
}
