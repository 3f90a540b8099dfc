/** Its codes end in ! or ? in all languages, but for the one of a value that was not found. Google’s sheets show "Loading..." meanwhile. */
const CODE = /#(?:[¡¿]?[\p{Lu}/_]{2,20}0?[!?]|[NН]\/[ABDД](?!\p{L})|I\/T(?!\p{L})|NV(?![-\p{L}\p{N}])|YOK(?!\p{L}))|(?<!\p{L})Loading(?:\.{3}|…)/u;

/** What a sheet shows in place of a formula’s value, such as #N/A or #REF!, if a text holds it. It is often gone a minute later. */
export const formulaCode = (text: string): string | undefined => CODE.exec(text)?.[0];
