import { systemClock, waitUntil } from '../../../nodes/OutboundCalls/execution/clock';

it('G10 Stop ends a long wait on the real clock at once', async () => {
	const stop = new AbortController();
	const waiting = waitUntil(systemClock, systemClock.now() + 3_600_000, stop.signal);
	stop.abort();
	await waiting;
});

it('a machine’s clock that is set back does not lengthen a wait', async () => {
	const now = Date.now;
	const begun = performance.now();
	const waiting = waitUntil(systemClock, systemClock.now() + 100);
	const setBack = jest.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
	try {
		await waiting;
		expect(performance.now() - begun).toBeGreaterThanOrEqual(99);
		expect(performance.now() - begun).toBeLessThan(2_000);
	} finally {
		setBack.mockRestore();
	}
});
