import type { SandboxOptions, Settings } from './types';

/** The account by default; a fresh value for each sandbox. */
export function defaultSettings(): Settings {
	return {
		token: 'sandbox-token',
		agents: [
			{ number: '+15550001000', name: 'Reminder', placeholders: [] },
			{ number: '+15550002000', name: 'Collections', placeholders: ['name', 'amount'] },
			{ number: '+15550003000', sipId: 't-sales', name: 'Sales', placeholders: [] },
		],
		callerNumbers: ['+15550009999'],
		callingEnabled: true,
		accountLocked: false,
		dailyLimit: undefined,
		rateLimit: undefined,
		latencyMs: 0,
		pageParameter: 'page',
		pageOverlap: 0,
		dialAfterMs: 0,
		finishAfterMs: 0,
		alreadyPlacedStatus: 400,
		singleCallIds: true,
		numbersChecked: 'first',
		recordStatus: { dialed: 'called', notDialed: 'failed' },
		callback: undefined,
	};
}

/** The settings among the options, with defaults for the rest. */
export function settingsFrom(options: SandboxOptions): Settings {
	const settings = defaultSettings();
	applySettings(settings, options, { ignoreOthers: true });
	return settings;
}

/**
 * Overwrites the settings named in `changes`; null removes an optional one.
 * @throws Error for a name that is no setting, unless `ignoreOthers`
 */
export function applySettings(
	settings: Settings,
	changes: object,
	{ ignoreOthers }: { ignoreOthers: boolean },
): void {
	for (const [name, value] of Object.entries(changes) as Array<[string, unknown]>) {
		if (Object.hasOwn(settings, name)) {
			if (value !== undefined) Object.assign(settings, { [name]: value ?? undefined });
		} else if (!ignoreOthers) {
			throw new Error(
				`There is no setting "${name}". Settings: ${Object.keys(settings).join(', ')}`,
			);
		}
	}
}
