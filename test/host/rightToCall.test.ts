import { bulk, place } from '../engine/helpers/workflows';
import { callsOf, hostBench } from './helpers/hostBench';

/** `test/engine/rightToCall.test.ts` has the cases. Here the time of day is the machine's. */
const bench = hostBench();

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const MINUTE = 60_000;
const inUtc = (instant: number): string => new Date(instant).toISOString().slice(11, 16);

it('G11 a paced campaign stops calling at the end of the window, to the second', async () => {
	// The next full minute that leaves time to begin.
	const end = Math.ceil((Date.now() + 15_000) / MINUTE) * MINUTE;
	const to = inUtc(end) === '00:00' ? '24:00' : inUtc(end);
	const rows = Array.from({ length: 240 }, (_, n) => ({ phone: `+1555010${2_000 + n}` }));
	const dialedAt: number[] = [];
	const { journal } = bench.sandbox;
	const push = journal.push.bind(journal);
	journal.push = (...calls) => {
		dialedAt.push(...calls.map(() => Date.now()));
		return push(...calls);
	};
	const options = { callingHours: { window: [{ days: DAYS, from: '00:00', to }] }, timeZone: 'UTC', callsPerMinute: 150, includeInputFields: false };
	const execution = await bench.run({ rows, parameters: place({ calledBefore: 'skip', options }) });
	const calls = callsOf(execution);
	const held = calls.filter(({ status }) => status === 'outside_hours');
	expect(calls).toHaveLength(rows.length);
	expect(dialedAt.length).toBeGreaterThan(0);
	expect(held).toHaveLength(rows.length - dialedAt.length);
	expect(held.length).toBeGreaterThan(0);
	expect(held[0]).toMatchObject({ success: false, time_zones: ['UTC'], callable_at: expect.stringMatching(/T00:00:00\+00:00$/) });
	// Requests that had left before are answered within the second.
	expect(Math.max(...dialedAt)).toBeLessThan(end + 1_000);
});

it('G11 people outside of their hours, on the list, or opted out are not called, and are called once when they may be', async () => {
	const rows = [
		{ phone: '+4917612340001', opted_out: '' },
		{ phone: '+4917612340002', opted_out: '' },
		{ phone: '+4917612340003', opted_out: 'yes' },
	];
	const never = [{ days: [DAYS[(new Date().getUTCDay() + 2) % 7]!], from: '10:00', to: '11:00' }];
	const always = [{ days: DAYS, from: '00:00', to: '24:00' }];
	const rules = { doNotCall: '+49 176 12340002', optedOut: '={{ $json.opted_out }}', includeInputFields: false };
	const run = async (window: object[]) =>
		callsOf(await bench.run({ rows, parameters: bulk({ calledBefore: 'skip', options: { ...rules, callingHours: { window } } as never }) }));
	expect((await run(never)).map(({ status }) => status)).toEqual(['outside_hours', 'do_not_call', 'do_not_call']);
	expect(bench.dialed).toEqual([]);
	expect((await run(always)).map(({ status }) => status)).toEqual(['initiated', 'do_not_call', 'do_not_call']);
	expect(bench.dialed).toEqual(['+4917612340001']);
});
