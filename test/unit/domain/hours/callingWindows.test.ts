import { readCallingWindows } from '../../../../nodes/OutboundCalls/domain/hours/callingWindows';

const stored = (...window: unknown[]) => ({ window });
const read = (value: unknown) => {
	const checked = readCallingWindows(value);
	return checked.ok ? checked.value : checked.error;
};

describe('windows become the minutes of each day', () => {
	it.each<[string, unknown, number[][][]]>([
		[
			'one window',
			stored({ days: ['mon', 'sun'], from: '09:00', to: '20:00' }),
			[[[540, 1_200]], [], [], [], [], [], [[540, 1_200]]],
		],
		[
			'without the leading zero',
			stored({ days: ['tue'], from: '9:00', to: '9:30' }),
			[[], [[540, 570]], [], [], [], [], []],
		],
		[
			'the whole day',
			stored({ days: ['wed'], from: '00:00', to: '24:00' }),
			[[], [], [[0, 1_440]], [], [], [], []],
		],
		[
			'to the last minute',
			stored({ days: ['wed'], from: '0:00', to: '23:59' }),
			[[], [], [[0, 1_439]], [], [], [], []],
		],
		[
			'a lunch break',
			stored(
				{ days: ['thu'], from: '14:00', to: '20:00' },
				{ days: ['thu'], from: '10:00', to: '13:00' },
			),
			[
				[],
				[],
				[],
				[
					[600, 780],
					[840, 1_200],
				],
				[],
				[],
				[],
			],
		],
		[
			'windows that overlap',
			stored(
				{ days: ['fri'], from: '09:00', to: '12:00' },
				{ days: ['fri'], from: '11:00', to: '15:00' },
			),
			[[], [], [], [], [[540, 900]], [], []],
		],
		[
			'windows that touch',
			stored(
				{ days: ['fri'], from: '09:00', to: '12:00' },
				{ days: ['fri'], from: '12:00', to: '15:00' },
			),
			[[], [], [], [], [[540, 900]], [], []],
		],
		[
			'one window in another',
			stored(
				{ days: ['fri'], from: '09:00', to: '18:00' },
				{ days: ['fri'], from: '10:00', to: '11:00' },
			),
			[[], [], [], [], [[540, 1_080]], [], []],
		],
		[
			'the same window twice, a day twice',
			stored(
				{ days: ['sat', 'sat'], from: '09:00', to: '18:00' },
				{ days: ['sat'], from: '09:00', to: '18:00' },
			),
			[[], [], [], [], [], [[540, 1_080]], []],
		],
		[
			'days as text',
			stored({ days: 'mon, Tue', from: ' 09:00 ', to: '10:00' }),
			[[[540, 600]], [[540, 600]], [], [], [], [], []],
		],
		[
			'days in full',
			stored({ days: ['Monday'], from: '09:00', to: '10:00' }),
			[[[540, 600]], [], [], [], [], [], []],
		],
		[
			'over midnight, as two windows',
			stored(
				{ days: ['fri'], from: '22:00', to: '24:00' },
				{ days: ['sat'], from: '00:00', to: '02:00' },
			),
			[[], [], [], [], [[1_320, 1_440]], [[0, 120]], []],
		],
	])('%s', (_, value, expected) => {
		expect(read(value)).toEqual(expected);
	});
});

describe('what cannot be meant is refused, and says how to write it', () => {
	const window = (more: object) => stored({ days: ['mon'], from: '09:00', to: '20:00', ...more });

	it.each<[string, unknown, string, string]>([
		['no windows', { window: [] }, 'Calling Hours has no window', 'Add one'],
		['an empty option', {}, 'Calling Hours has no window', 'Add one'],
		['nothing', undefined, 'Calling Hours has no window', 'Add one'],
		['text', '9-17', 'Calling Hours has no window', 'Add one'],
		[
			'windows that are no list',
			{ window: { days: ['mon'] } },
			'Calling Hours has no window',
			'Add one',
		],
		[
			'a window that is none',
			stored('9-17'),
			'Window 1 of Calling Hours is "9-17"',
			'days, from and to',
		],
		[
			'the second window',
			stored(
				{ days: ['mon'], from: '09:00', to: '20:00' },
				{ days: [], from: '09:00', to: '20:00' },
			),
			'Window 2 of Calling Hours has no days',
			'Choose the days',
		],
		[
			'no days at all',
			window({ days: undefined }),
			'Window 1 of Calling Hours has no days',
			'Choose the days',
		],
		['a day that is none', window({ days: ['mon', 'funday'] }), 'has the day "funday"', 'mon, tue'],
		['two letters of a day', window({ days: ['mo'] }), 'has the day "mo"', 'mon, tue'],
		['a day as a number', window({ days: [1] }), 'has the day "1"', 'mon, tue'],
		[
			'25:00',
			window({ to: '25:00' }),
			'ends at "25:00", which is not a time of day',
			'from 00:00 to 24:00',
		],
		['24:01', window({ to: '24:01' }), 'ends at "24:01"', '24:00'],
		['09:60', window({ from: '09:60' }), 'begins at "09:60"', '09:00'],
		['seconds', window({ from: '09:00:00' }), 'begins at "09:00:00"', 'hours and minutes'],
		['an hour alone', window({ from: '9' }), 'begins at "9"', 'hours and minutes'],
		['a number', window({ from: 900 }), 'begins at "900"', 'hours and minutes'],
		['am and pm', window({ to: '8:00 pm' }), 'ends at "8:00 pm"', 'hours and minutes'],
		['a dot', window({ to: '20.00' }), 'ends at "20.00"', 'hours and minutes'],
		['minus', window({ from: '-9:00' }), 'begins at "-9:00"', 'hours and minutes'],
		['no time', window({ to: '' }), 'ends at no time', 'hours and minutes'],
		[
			'a time that is missing',
			window({ from: undefined }),
			'begins at no time',
			'hours and minutes',
		],
		[
			'over midnight',
			window({ from: '20:00', to: '02:00' }),
			'goes from 20:00 to 02:00, so it ends before it begins',
			'two windows: one until 24:00 and one from 00:00',
		],
		[
			'until 00:00',
			window({ to: '00:00' }),
			'to 00:00, which is the beginning of the day',
			'Write 24:00',
		],
		[
			'no time between',
			window({ to: '09:00' }),
			'from 09:00 to 09:00, which is no time at all',
			'00:00 to 24:00',
		],
		['from 24:00', window({ from: '24:00', to: '24:00' }), 'no time at all', '00:00 to 24:00'],
	])('%s', (_, value, message, remedy) => {
		expect(read(value)).toEqual({
			message: expect.stringContaining(message),
			remedy: expect.stringContaining(remedy),
			field: true,
		});
	});

	it('a long value is cut', () => {
		const refused = read(window({ from: 'x'.repeat(10_000) })) as { message: string };
		expect(refused.message.length).toBeLessThan(200);
	});
});
