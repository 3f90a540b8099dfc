/**
 * A sheet’s codes end in ! or ? in all languages, but for the one of a value that was not found, and of one that is still fetched. Google’s sheets show "Loading..."
 * meanwhile. A column that is too narrow has ####, or a number without its last digits. The rest is what an expression makes of a column that is none, or of an object.
 */
const CODE =
	/#(?:[¡¿]?[\p{Lu}/_]{2,20}0?[!?]|(?:[NНΔ]\/[ABDДΥ]|I\/T|YOK)(?!\p{L})|NV(?![-\p{L}\p{N}])|GETTING|###)|(?<!\p{L})(?:Loading\.{3}|(?:undefined|null|NaN)(?!-?\p{L}))|\d[.,]\d+E\+\d+|\[object |Invalid Date/u;

/** What stands in a text in place of a value, such as #N/A or #REF!. It is often gone a minute later. */
export const formulaCode = (text: string): string | undefined => CODE.exec(text)?.[0];
