/**
 * What numbers of a pattern begin with: `89\d{2}` → matches "8", "89" and "891". Reads what numbering plans are written in:
 * digits, classes, groups, alternatives and quantifiers.
 */
export function leadingDigits(pattern: string): RegExp {
	return new RegExp(`^(?:${beginnings(pattern, { at: 0 })})$`);
}

/** Reads alternatives up to the bracket that closes them, or to the end. */
function beginnings(pattern: string, position: { at: number }): string {
	const alternatives: Part[][] = [[]];
	while (position.at < pattern.length && pattern[position.at] !== ')') {
		if (pattern[position.at] === '|') {
			alternatives.push([]);
			position.at++;
		} else alternatives[alternatives.length - 1]!.push(readPart(pattern, position));
	}
	return alternatives
		.map((parts) =>
			parts.reduceRight((rest, { whole, begun }) => `(?:${begun}|${whole}${rest})`, ''),
		)
		.join('|');
}

/** One digit or group with its quantifier, as it is whole, and as far as it may have come. */
interface Part {
	whole: string;
	begun: string;
}

function readPart(pattern: string, position: { at: number }): Part {
	const from = position.at;
	let begun = '';
	if (pattern.startsWith('(?:', from)) {
		position.at += 3;
		begun = `(?:${beginnings(pattern, position)})`;
		position.at++;
	} else if (pattern[from] === '[') position.at = pattern.indexOf(']', from) + 1;
	else position.at += pattern[from] === '\\' ? 2 : 1;
	const atom = pattern.slice(from, position.at);
	const [quantifier = '', most] =
		/^(?:\?|\{(?:\d+,)?(\d+)\})/.exec(pattern.slice(position.at)) ?? [];
	position.at += quantifier.length;
	const times = most === undefined ? 1 : Number(most);
	return {
		whole: atom + quantifier,
		begun: times === 1 ? begun : `${atom}{0,${times - 1}}${begun}`,
	};
}
