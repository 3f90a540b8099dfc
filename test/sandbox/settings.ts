import type { SandboxOptions, Settings } from './types';

/** The account by default; a fresh value for each sandbox. */
function defaultSettings(): Settings {
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
		dialAfterMs: 0,
		finishAfterMs: 0,
		alreadyPlacedStatus: 400,
		singleCallIds: true,
		callback: undefined,
	};
}

/** The settings among the options, with defaults for the rest. */
export function settingsFrom(options: SandboxOptions): Settings {
	const settings = defaultSettings();
	for (const [name, value] of Object.entries(options) as Array<[string, unknown]>)
		if (Object.hasOwn(settings, name) && value !== undefined)
			Object.assign(settings, { [name]: value });
	return settings;
}
