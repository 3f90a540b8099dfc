import { systemClock, waitUntil } from '../../../nodes/OutboundCalls/execution/clock';

it('G10 Stop ends a long wait on the real clock at once', async () => {
	const stop = new AbortController();
	const waiting = waitUntil(systemClock, systemClock.now() + 3_600_000, stop.signal);
	stop.abort();
	await waiting;
});

it('a machine’s clock that is set back does not lengthen a wait', () => {
	const before = systemClock.now();
	const setBack = jest.spyOn(Date, 'now').mockReturnValue(0);
	expect(systemClock.now()).toBeGreaterThanOrEqual(before);
	setBack.mockRestore();
});
