/**
 * What an expression may name without depending on the row (n8n behaviour): all, the first or the last items of a node, and what is
 * the same in the whole execution.
 */
const SAME_FOR_ALL =
	/\$(?:input|\((?:'[^']*'|"[^"]*")\))\.(?:all|first|last)\(\)|\$(?:vars|secrets|env|workflow|execution|now|today|runIndex)\b/g;

/** All names that n8n gives to expressions begin so. JavaScript takes \u0024 for a $, too. */
const NAME_OF_N8N = /\$|\\[ux]/;

/** Whether a stored parameter may come to another value for each row. Expressions are strings that start with "=" (n8n behaviour), at any depth. */
export function isOfRows(parameter: unknown): boolean {
	if (typeof parameter !== 'string')
		return (
			typeof parameter === 'object' && parameter !== null && Object.values(parameter).some(isOfRows)
		);
	return parameter.startsWith('=') && NAME_OF_N8N.test(parameter.replace(SAME_FOR_ALL, ''));
}

/** Whether a stored parameter is one that an AI model fills in, at any depth (n8n behaviour: $fromAI, in three spellings). */
export function asksModel(parameter: unknown): boolean {
	if (typeof parameter === 'string')
		return parameter.startsWith('=') && /\$from_?ai/i.test(parameter);
	return (
		typeof parameter === 'object' && parameter !== null && Object.values(parameter).some(asksModel)
	);
}
