import { plainKey } from '../../../nodes/OutboundCalls/domain/memoryKeys';

/** As in a process whose environment variable TZ is that zone. */
const inZoneEastOfGreenwich = (hours: number): void => {
	jest.spyOn(Date.prototype, 'getHours').mockImplementation(function (this: Date) {
		return (this.getUTCHours() + hours) % 24;
	});
	jest.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-hours * 60);
};
afterEach(() => jest.restoreAllMocks());

describe('a day in a key of Remember People By', () => {
	it.each([0, 1, 2, 10])(
		'as a text with midnight in UTC is that day, wherever a worker runs (%i hours east)',
		(hours) => {
			inZoneEastOfGreenwich(hours);
			expect(plainKey('+15550101000 2026-12-01T00:00:00.000Z')).toBe('+15550101000 2026-12-01');
		},
	);

	it.each(['2026-12-01T00:00:00.000-05:00', '2026-12-01T00:00:00.000+09:00'])(
		'that n8n has made a date of is that day, whichever zone the workflow has: %s',
		(date) => {
			inZoneEastOfGreenwich(1);
			expect(plainKey(`A ${date}`)).toBe('A 2026-12-01');
		},
	);

	it.each(['2026-12-01T09:30:00.000+01:00', '2026-12-01T03:30:00.000-05:00'])(
		'and a moment is that moment: %s',
		(date) => {
			expect(plainKey(`A ${date}`)).toBe('A 2026-12-01T08:30:00.000Z');
		},
	);

	it.each(['2026-13-45T09:30:00.000+01:00', '2026-13-45T09:30:00.000Z'])(
		'what looks like a date and is none stays as it is: %s',
		(date) => {
			expect(plainKey(date)).toBe(date);
		},
	);

	it('of a database is that day on n8n’s clock, and a time of the day stays', () => {
		inZoneEastOfGreenwich(1);
		expect(plainKey('A 2026-11-30T23:00:00.000Z')).toBe('A 2026-12-01');
		expect(plainKey('A 2026-12-01T09:30:00.000Z')).toBe('A 2026-12-01T09:30:00.000Z');
	});
});

it('a key of a million characters without a blank is read in a moment', () => {
	const long = 'x'.repeat(1_000_000);
	expect(plainKey(`${long} Ada@Example.com`)).toBe(`${long} ada@example.com`);
});
