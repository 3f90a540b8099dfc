import { quoted } from './format';

/** Completes a message: "the prompt variable "name"" + `holds`. */
interface UnusableText {
	holds: string;
	remedy: string;
}

/** The codes of Excel, Google Sheets and LibreOffice, also in languages other than English. */
const SHEET_ERROR = /^(?:#(?:[¡¿]?[\p{Lu}/_]{2,20}0?[!?]|N\/A|NV)|Loading\.{3})$/u;

/** Why a text cannot be a value: something stands in it that n8n or a sheet put in its place. */
export function whyUnusable(text: string): UnusableText | undefined {
	const whole = text.trim();
	if (text.includes('{{')) {
		return {
			holds: 'holds an expression as plain text',
			remedy: 'Switch the field from Fixed to Expression.',
		};
	}
	if (text.includes('[object Object]')) {
		return {
			holds: 'holds an object that was turned into text',
			remedy: 'Pick one of its fields instead.',
		};
	}
	if (SHEET_ERROR.test(whole)) {
		return {
			holds: `holds ${quoted(whole)}, which your sheet shows instead of a result`,
			remedy: 'Correct the formula in your sheet.',
		};
	}
	if (/^(?:undefined|NaN|Invalid Date(?:Time)?)$/.test(whole)) {
		return {
			holds: 'comes from an expression that found no value',
			remedy: 'Check the column names in that expression.',
		};
	}
	return undefined;
}
