import type { ChoiceOf } from '../../../../nodes/OutboundCalls/domain/panelDefaults';
import {
	ANY_HOUR,
	DAYS,
	readCallingHours,
} from '../../../../nodes/OutboundCalls/domain/hours/callingHours';
import cases from './cases.json';

const DEFAULT = { days: DAYS.slice(0, 5), from: 540, to: 1200 };
const SATURDAY = { days: ['sat'], from: '10:00', to: ' 24:00 ' };
const read = (choice: ChoiceOf<'callingHours'>, window?: unknown) => {
	const checked = readCallingHours(choice, { window });
	return checked.ok ? checked.value : checked.error;
};

it.each<[string, ChoiceOf<'callingHours'>, unknown, unknown]>([
	['Monday to Friday', 'weekdays', undefined, [DEFAULT]],
	['every day', 'daily', undefined, [{ days: DAYS, from: 540, to: 1200 }]],
	['any hour', 'any', undefined, ANY_HOUR],
	['any hour, not windows left from before', 'any', [{}], ANY_HOUR],
	['its own window', 'custom', [SATURDAY], [{ days: ['sat'], from: 600, to: 1440 }]],
	['two windows', 'custom', [SATURDAY, {}], [{ days: ['sat'], from: 600, to: 1440 }, DEFAULT]],
	['n8n’s defaults, which it does not store', 'custom', [{}], [DEFAULT]],
])('%s', (_, choice, window, expected) => {
	expect(read(choice, window)).toEqual(expected);
});

it.each(cases.unusableWindows as Array<[string, ChoiceOf<'callingHours'>, unknown, string]>)(
	'%s calls nobody and says what to do',
	(_, choice, window, expected) => {
		const error = read(choice, window) as { message: string; remedy: string; field?: boolean };
		expect(`${error.message}\n${error.remedy}`).toMatch(new RegExp(expected));
		expect(error.field).toBe(true);
	},
);
