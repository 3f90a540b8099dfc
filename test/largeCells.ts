import type { INodeParameters } from 'n8n-workflow';
import { assignments } from './engine/helpers/workflows';

/** What large cells repeat. */
export const PIECES = ['{', '+', ' ', '\u0000', '\u200b', '😀', '1', '{{', '(', '\u0301a', '='];

const CELL = '={{ $json.cell }}';

/** Each field that takes the column `cell`. */
export const FIELDS: Array<[name: string, parameters: INodeParameters]> = [
	['Phone Number', { destination: CELL }],
	['a prompt variable', { promptVariables: assignments({ name: CELL }) }],
	['All Input Fields', { variablesFrom: 'input' }],
	['Prompt Variables (JSON)', { variablesFrom: 'json', promptVariablesJson: CELL }],
	['Fields to Leave Out', { variablesFrom: 'input', fieldsToLeaveOut: CELL }],
	['Opted Out', { optedOut: CELL }],
	['Once for Each', { calledBefore: 'onceForEach', onceForEach: CELL }],
	['Agent Number', { agentNumber: CELL }],
	['Caller Number', { agentNumber: 't-sales', callerNumber: CELL }],
	['Time Zone', { rules: { timeZone: CELL } }],
	['No-Call Dates', { rules: { noCallDates: CELL } }],
	['Do Not Call', { rules: { doNotCall: CELL } }],
	['Country of Numbers Without +', { options: { defaultCountry: CELL } }],
];

/** A text of about so many characters. */
export const cellOf = (piece: string, length: number): string =>
	piece.repeat(length / piece.length);
