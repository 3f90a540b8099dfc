import type { ChoiceOf } from '../../../../nodes/OutboundCalls/domain/choices';
import {
	ANY_HOUR,
	DAYS,
	readCallingHours,
} from '../../../../nodes/OutboundCalls/domain/hours/callingHours';

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

it.each<[string, ChoiceOf<'callingHours'>, unknown, RegExp]>([
	['custom hours without a window', 'custom', [], /no window[^]*Add a window/],
	['windows that are no list', 'custom', 'always', /no window/],
	['no days', 'custom', [{ days: [] }], /Window 1 [^]*at least one day[^]*Choose/],
	['an hour past midnight', 'custom', [{ to: '25:00' }], /"25:00"[^]*24:00/],
	['a time in words', 'custom', [{ from: 'nine' }], /"nine"/],
	['a window over midnight', 'custom', [{ from: '20:00', to: '06:00' }], /second window/],
	['a window of no time', 'custom', [{ from: '09:00', to: '09:00' }], /the earlier one first/],
])('%s calls nobody and says what to do', (_, choice, window, expected) => {
	const error = read(choice, window) as { message: string; remedy: string; field?: boolean };
	expect(`${error.message}\n${error.remedy}`).toMatch(expected);
	expect(error.field).toBe(true);
});
