/**
 * Defaults of the panel: fields with a fixed choice and numbers, with their labels, options and
 * bounds. The panel and whoever reads a value share them. Saved workflows hold the values, but no
 * defaults, which n8n leaves out (n8n behavior): a new default changes saved workflows, too.
 */

import type { PeriodKind } from './hours/periods';
import type { Protection } from './outcome';

interface Option {
	value: string;
	name: string;
	description?: string;
	/** n8n's AI workflow builder reads this. */
	builderHint?: { propertyHint: string };
}

/** Describes a field with a fixed choice. */
export interface Choice {
	label: string;
	/** The field is in this collection of the panel. */
	in?: 'options' | 'rules';
	options: readonly [Option, ...Option[]];
}

/** Each choice has the name of its parameter. The first option is the default. */
export const CHOICES = {
	mode: {
		label: 'Mode',
		options: [
			{
				name: 'Dry Run: Call Nobody, Show What Would Happen',
				value: 'dryRun',
				description: 'Check every row and show what would be sent. Nothing leaves this n8n.',
			},
			{
				name: 'Test: Call My Own Phone Once',
				value: 'test',
				description:
					'A dry run in which your own phone rings once, with the details of the first row that would be called',
			},
			{
				name: 'Live: Call',
				value: 'live',
				description: 'Each call costs money and rings a real phone',
				builderHint: {
					propertyHint: 'Only the person who owns the workflow sets this, after a dry run.',
				},
			},
		],
	},
	destinationSource: {
		label: 'Numbers From',
		options: [
			{
				name: 'Input Items',
				value: 'items',
				description: 'One call per input item, such as a row of a sheet',
			},
			{
				name: 'List Below',
				value: 'list',
				description: 'Numbers entered here, each with its own prompt variables',
			},
			{
				name: 'JSON',
				value: 'json',
				description: 'A list of numbers, or of numbers with prompt variables',
			},
		],
	},
	variablesFrom: {
		label: 'Prompt Variables From',
		options: [
			{
				name: 'Fields Below',
				value: 'fields',
				description: 'Drag columns in, or type names and values',
			},
			{
				name: 'All Input Fields',
				value: 'input',
				description:
					'Every field of the input item except the phone number, with names like first_name',
			},
			{
				name: 'JSON',
				value: 'json',
				description: 'An object of names and values, best for AI agents and code',
			},
		],
	},
	/** The times themselves are in `domain/hours/callingHours.ts`. */
	callingHours: {
		label: 'Calling Hours',
		options: [
			{ name: 'Monday to Friday, 09:00 to 20:00', value: 'weekdays' },
			{ name: 'Every Day, 09:00 to 20:00', value: 'daily' },
			{ name: 'Any Hour', value: 'any' },
			{ name: 'Custom', value: 'custom', description: 'Days and times that you choose' },
		],
	},
	calledBefore: {
		label: 'People Called Before',
		options: [
			{
				name: 'Skip: Call Each Person Once, over All Runs',
				value: 'skip',
				description: 'This workflow remembers whom it has called and leaves them out',
			},
			{
				name: 'Once for Each …',
				value: 'onceForEach',
				description: 'Once for each appointment, invoice, month or purpose',
			},
			{
				name: 'Call Again in Each Run',
				value: 'callAgain',
				description: 'Executing again calls everybody again',
			},
		],
	},
	waitUntil: {
		label: 'Wait Until',
		options: [
			{
				name: 'Each Call Is Started',
				value: 'none',
				description: 'Do not wait: return the rows at once',
			},
			{
				name: 'Each Call Is Dialed',
				value: 'dialed',
				description: 'Each call was dialed, could not be dialed, or was cancelled',
			},
			{
				name: 'Each Call Is Finished',
				value: 'finished',
				description: 'Each call has its conversation, could not be dialed, or was cancelled',
			},
		],
	},
	onTimeout: {
		label: 'On Timeout',
		options: [
			{
				name: 'Return What Is Available',
				value: 'output',
				description: 'Return all rows; the field settled says which calls are still open',
			},
			{
				name: 'Stop with a Message',
				value: 'error',
				description: 'End the execution with a message that says how many calls are still open',
			},
		],
	},
	/** Of a limit of Calls per Person. */
	per: {
		label: 'Period',
		options: [
			{ name: 'Day', value: 'day' },
			{ name: 'Week', value: 'week', description: 'From Monday to Sunday' },
			{ name: 'Month', value: 'month', description: 'A calendar month' },
			{ name: 'All Time', value: 'ever' },
		],
	},
	specialNumbers: {
		label: 'Special Numbers',
		in: 'rules',
		options: [
			{ name: 'Do Not Call', value: 'doNotCall', description: 'Leave out numbers that cost more' },
			{ name: 'Call', value: 'call', description: 'Some cost several dollars a minute' },
		],
	},
	ifAlreadyPlaced: {
		label: 'If Already Placed',
		in: 'options',
		options: [
			{
				name: 'Stop with a Message',
				value: 'error',
			},
			{
				name: 'Return It as a Result',
				value: 'output',
				description: 'Return the item with cancelled: false',
			},
		],
	},
	forgetWhat: {
		label: 'Whom to Forget',
		options: [
			{
				name: 'These People',
				value: 'people',
				description: 'They may be called again, as if they had never been called',
			},
			{
				name: 'Everybody',
				value: 'everybody',
				description:
					'Empties the call history of this workflow. Live then needs a dry run or a test again.',
			},
		],
	},
} as const satisfies Record<string, Choice>;

/** The values that a choice may have. */
export type ChoiceOf<N extends keyof typeof CHOICES> =
	(typeof CHOICES)[N]['options'][number]['value'];

/**
 * A window that is added to Custom begins with it. It must never change: n8n leaves these values out
 * of a stored window, and fills them in (n8n behavior).
 */
export const FIRST_CUSTOM_WINDOW = {
	days: ['mon', 'tue', 'wed', 'thu', 'fri'],
	from: '09:00',
	to: '20:00',
} as const;

/** A number that the panel asks for: its name there, what it begins with, and its bounds. */
export interface NumberField {
	label: string;
	unit?: 'Minutes' | 'Seconds';
	initial: number;
	least: number;
	most?: number;
}

/**
 * Rules that limit the calls to all people together, over all runs, by parameter: so many in a
 * period, one line each. `heldBy`: as the output names the rule. Calls per Person takes its periods
 * from `CHOICES`.
 */
export const LIMITS_FOR_ALL = {
	maxCallsPerDay: {
		label: 'Max Calls per Day',
		initial: 100,
		least: 1,
		most: 10_000,
		per: 'day',
		heldBy: 'max_calls_per_day',
	},
} as const satisfies Record<string, NumberField & { per: PeriodKind; heldBy: Protection }>;

/** Those of all operations, by parameter. */
export const NUMBER_FIELDS = {
	...LIMITS_FOR_ALL,
	calls: { label: 'Calls', initial: 1, least: 1, most: 100 },
	callsPerMinute: { label: 'Calls per Minute', initial: 60, least: 1 },
	limit: { label: 'Limit', initial: 50, least: 1 },
	/** It begins with a pilot of a few calls. */
	maxCalls: { label: 'Max Calls', initial: 5, least: 0 },
	maxRetryWait: { label: 'Max Retry Wait', unit: 'Seconds', initial: 300, least: 0, most: 3_600 },
	parallelRequests: { label: 'Parallel Requests', initial: 5, least: 1, most: 10 },
	pollInterval: { label: 'Poll Interval', unit: 'Seconds', initial: 10, least: 1, most: 86_400 },
	timeout: { label: 'Timeout', unit: 'Seconds', initial: 60, least: 1, most: 3_600 },
	waitTimeout: { label: 'Stop Waiting After', unit: 'Minutes', initial: 10, least: 0 },
} as const satisfies Record<string, NumberField>;

/** What Hours Between Calls offers. */
export const HOURS_BETWEEN = [1, 2, 3, 4, 6, 8, 12, 24, 48] as const;
