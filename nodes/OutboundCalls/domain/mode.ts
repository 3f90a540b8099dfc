import { quoted } from './format';
import { type Checked, fail, ok } from './problem';

/** What becomes of a row that may be called: nobody is (`dryRun`), one row of all is called at the user's own phone (`test`), or the person is. */
export type Mode = 'dryRun' | 'test' | 'live';

const MODES: ReadonlyMap<string, Mode> = new Map(
	(['dryRun', 'test', 'live'] as const).map((mode) => [mode.toLowerCase(), mode]),
);

/** The field Mode of a row. Spaces around it and capitals do not matter; anything else is a slip, and calls nobody. */
export function readMode(value: unknown): Checked<Mode> {
	const mode = typeof value === 'string' ? MODES.get(value.trim().toLowerCase()) : undefined;
	if (mode) return ok(mode);
	return fail({
		message: `Mode is ${quoted(value)}, but it must be ${[...MODES.values()].join(', ').replace(/, (?=\w+$)/, ' or ')}`,
		remedy: 'Choose it from the list, or correct its expression.',
		field: true,
	});
}
