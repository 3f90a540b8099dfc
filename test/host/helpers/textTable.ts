/** A table for a terminal: a line per row, columns as wide as their longest cell. */
export function textTable(
	head: readonly string[],
	rows: ReadonlyArray<ReadonlyArray<string | number>>,
): string {
	const lines = [head, ...rows].map((cells) => cells.map(String));
	const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
	const drawn = lines.map(
		(cells) => `│ ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' │ ')} │`,
	);
	const rule = `├─${widths.map((width) => '─'.repeat(width)).join('─┼─')}─┤`;
	return [drawn[0], rule, ...drawn.slice(1)].join('\n');
}
