import { readCommandLine } from './commandLine';

test('each option reaches the sandbox', () => {
	const args =
		'--port 8080 --token t --latency 5 --daily-limit 7 --rate-limit 3/1000 --dial-after 10 ' +
		'--finish-after 20 --callback http://127.0.0.1:1/x --fault hangAfter --fault truncated:cut ' +
		'--fault rateLimited:route=bulk,times=3,probability=0.5 --callback-header';
	const outcome = ['--outcome', '+15550001:status=skipped,error=Line busy,times=2'];
	const read = readCommandLine([...args.split(' '), 'X-Secret: a: b', ...outcome]);
	expect(read.options).toEqual({
		port: 8080,
		token: 't',
		latencyMs: 5,
		dailyLimit: 7,
		rateLimit: { requests: 3, windowMs: 1000 },
		dialAfterMs: 10,
		finishAfterMs: 20,
		callback: { url: 'http://127.0.0.1:1/x', headers: { 'X-Secret': 'a: b' } },
	});
	expect(read.faults).toEqual([
		{ kind: 'hangAfter' },
		{ kind: 'truncated', cut: true },
		{ kind: 'rateLimited', route: 'bulk', times: 3, probability: 0.5 },
	]);
	expect(read.outcomes).toEqual([
		['+15550001', { status: 'skipped', error: 'Line busy', times: 2 }],
	]);
});

test.each([
	[['--port', 'x'], '--port takes a whole number, not "x"'],
	[['--rate-limit', '5'], '--rate-limit N/MS takes a whole number'],
	[['--fault', 'nonsense'], 'There is no fault "nonsense"'],
	[['--fault', 'gateway:retryafter=1'], 'has no "retryafter"'],
	[['--nonsense'], "Unknown option '--nonsense'"],
])('%j is refused with a reason', (args, reason) => {
	expect(() => readCommandLine(args)).toThrow(reason);
});
