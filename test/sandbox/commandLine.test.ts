import { HELP, readCommandLine } from './commandLine';
import { faultKeys } from './faults';

test('without arguments everything keeps its default', () => {
	const { help, options, faults, outcomes } = readCommandLine([]);
	expect({ help, faults, outcomes }).toEqual({ help: false, faults: [], outcomes: [] });
	expect(Object.values(options).filter((value) => value !== undefined)).toEqual([]);
});

test('each option reaches the sandbox', () => {
	const args =
		'--port 8080 --token t --latency 5 --daily-limit 7 --rate-limit 3/1000 --page-parameter p --dial-after 10 ' +
		'--finish-after 20 --seed 4 --callback http://127.0.0.1:1/x --callback-format form';
	const { options } = readCommandLine([...args.split(' '), '--callback-header', 'X-Secret: a: b']);
	expect(options).toEqual({
		port: 8080,
		token: 't',
		latencyMs: 5,
		dailyLimit: 7,
		rateLimit: { requests: 3, windowMs: 1000 },
		pageParameter: 'p',
		dialAfterMs: 10,
		finishAfterMs: 20,
		seed: 4,
		callback: { url: 'http://127.0.0.1:1/x', format: 'form', headers: { 'X-Secret': 'a: b' } },
	});
});

test.each([
	[
		'rateLimited:route=bulk,times=3,retryAfter=2',
		{ kind: 'rateLimited', route: 'bulk', times: 3, retryAfter: 2 },
	],
	['gateway', { kind: 'gateway' }],
	['gateway:probability=0.5', { kind: 'gateway', probability: 0.5 }],
	['truncated:cut', { kind: 'truncated', cut: true }],
	[
		'redirect:location=http://127.0.0.1:1/?a=b',
		{ kind: 'redirect', location: 'http://127.0.0.1:1/?a=b' },
	],
])('--fault %s', (text, rule) => {
	expect(readCommandLine(['--fault', 'hangAfter', '--fault', text]).faults).toEqual([
		{ kind: 'hangAfter' },
		rule,
	]);
});

test('--outcome names a destination that is not dialed', () => {
	const { outcomes } = readCommandLine([
		'--outcome',
		'+15550001:status=skipped,error=Line busy,times=2',
	]);
	expect(outcomes).toEqual([['+15550001', { status: 'skipped', error: 'Line busy', times: 2 }]]);
});

test.each([
	[['--port', 'x'], '--port takes a whole number, not "x"'],
	[['--rate-limit', '5'], '--rate-limit N/MS takes a whole number'],
	[['--fault', 'nonsense'], 'There is no fault "nonsense"'],
	[['--nonsense'], "Unknown option '--nonsense'"],
])('%j is refused with a reason', (args, reason) => {
	expect(() => readCommandLine(args)).toThrow(reason);
});

test('the help names every fault', () => {
	for (const kind of Object.keys(faultKeys)) expect(HELP).toContain(`  ${kind}`);
});
