import { workbench } from './workbench';
import { bulk, contacts, phone, place, shown } from './workflows';

const bench = workbench();

const options = (more: object) => bulk({ options: more as never });
const times = (): number[] => bench.sandbox.requests.map(({ at }) => at);

describe('G7 limits are respected', () => {
	it.each([
		['429 with Retry-After', { kind: 'rateLimited', retryAfter: 1 }],
		['429 with details.retry_after alone', { kind: 'rateLimited', form: 'allowance', header: false, retryAfter: 1 }],
		['503 with Retry-After', { kind: 'unavailable', retryAfter: 1 }],
	] as const)('G7 %s is waited for in full, then the same rows are sent again and called once', async (_name, fault) => {
		bench.sandbox.fault({ ...fault, route: 'bulk', times: 1 });
		const run = await bench.run(options({ parallelRequests: 1 }), contacts(3));
		expect(run.json.map(({ status }) => status)).toEqual(Array(3).fill('initiated'));
		const [first, second] = times() as [number, number];
		expect(second - first).toBeGreaterThanOrEqual(1_000);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it('G7 a limit that says no time is waited for with backoff', async () => {
		bench.sandbox.fault({ kind: 'unavailable', form: 'allowance', route: 'bulk', times: 2 });
		const run = await bench.run(options({}), contacts(3));
		expect(run.json.map(({ status }) => status)).toEqual(Array(3).fill('initiated'));
		expect(bench.sandbox.requests).toHaveLength(3);
	});

	it('G7 all lanes pause together: nothing is sent while one of them waits', async () => {
		bench.sandbox.settings.latencyMs = 20;
		bench.sandbox.fault({ kind: 'rateLimited', route: 'bulk', after: 4, times: 1, retryAfter: 1 });
		await bench.run(options({ parallelRequests: 4 }), contacts(120));
		const refused = bench.sandbox.requests.find(({ status }) => status === 429)!;
		const answered = refused.at + 20;
		// Requests that left before the answer came cannot be taken back.
		const during = times().filter((at) => at > answered + 100 && at < answered + 900);
		expect(during).toEqual([]);
		expect(bench.dialed).toHaveLength(120);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it.each([
		['2 hours', 7_200],
		['365 days', 31_536_000],
	])('G7 a longer wait than Max Retry Wait ends at once and says to come back in %s', async (spoken, retryAfter) => {
		bench.sandbox.fault({ kind: 'rateLimited', route: 'bulk', retryAfter });
		const run = await bench.run(options({ parallelRequests: 1 }), contacts(30));
		expect(shown(run).description).toContain(`Run again in ${spoken}`);
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('G7 with On Error = Continue every row says when to come back, without further requests', async () => {
		bench.sandbox.fault({ kind: 'rateLimited', route: 'bulk', after: 1, retryAfter: 7_200 });
		const run = await bench.run(options({ parallelRequests: 1 }), contacts(30), { onError: 'continueRegularOutput' });
		expect(run.json.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill('initiated'));
		for (const row of run.json.slice(10)) expect(row.error).toMatch(/Run again in 2 hours/);
		expect(bench.sandbox.requests).toHaveLength(2);
	});

	it.each(['soon', '-5', '1e9', '', 'Infinity'])('G7 a Retry-After of "%s" is no wait: backoff instead', async (retryAfter) => {
		bench.sandbox.fault({ kind: 'rateLimited', route: 'bulk', times: 1, retryAfter });
		const run = await bench.run(options({}), contacts(1));
		expect(run.json[0]?.status).toBe('initiated');
	});

	it('G7 calls per minute: no more calls are started than the limit allows', async () => {
		// 1,200 a minute are 10 calls every half second.
		await bench.run(options({ callsPerMinute: 1_200, parallelRequests: 5 }), contacts(30));
		const [first, second, third] = times() as [number, number, number];
		expect(second - first).toBeGreaterThanOrEqual(490);
		expect(third - first).toBeGreaterThanOrEqual(990);
	});

	it('G7 fewer than ten calls per minute also make smaller requests', async () => {
		await bench.run(options({ callsPerMinute: 4 }), contacts(4));
		expect(bench.sandbox.requests).toHaveLength(1);
		expect(bench.dialed).toHaveLength(4);
	});

	it('G6 Retry Undialed Rows does not ask again after a refusal that will not pass', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'rate_limited', error: 'Too many calls' });
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 1 });
		const run = await bench.run(options({ retryUndialed: true, maxRetryWait: 8 }), contacts(3));
		expect(run.json.map(({ status }) => status)).toEqual(['initiated', 'rate_limited', 'initiated']);
		expect(bench.sandbox.requests.map(({ status }) => status)).toEqual([201, 422]);
	});

	it('G4 Retry Undialed Rows also tries those rows again that an execution left before it was retried', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'rate_limited', error: 'Too many calls', times: 1 });
		bench.sandbox.settings.dailyLimit = 10;
		const parameters = options({ retryUndialed: true, parallelRequests: 1, maxRetryWait: 8 });
		const stopped = await bench.run(parameters, contacts(12));
		expect(stopped.error).toBeDefined();
		delete bench.sandbox.settings.dailyLimit;
		const retried = await bench.run(parameters, contacts(12), { retryOf: stopped });
		expect(retried.json.map(({ status }) => status)).toEqual(Array(12).fill('initiated'));
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it.each(['={{ "60/min" }}', '={{ -5 }}', '={{ 1 / 0 }}', '={{ ({}) }}'])(
		'G5 calls per minute that are no number (%s): nobody is called',
		async (callsPerMinute) => {
			for (const parameters of [options({ callsPerMinute }), place({ options: { callsPerMinute } })]) {
				expect(shown(await bench.run(parameters, contacts(3))).message).toMatch(
					/^Row 1: the option Calls per Minute holds ".+", which is no number of calls/,
				);
			}
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	it.each(['={{ "0" }}', '={{ null }}', '={{ "" }}'])('calls per minute that are nothing (%s) are no limit', async (callsPerMinute) => {
		await bench.run(options({ callsPerMinute }), contacts(12));
		expect(bench.dialed).toHaveLength(12);
	});

	it('G7 no more requests are under way than Parallel Requests allows', async () => {
		bench.sandbox.settings.latencyMs = 30;
		await bench.run(options({ parallelRequests: 3 }), contacts(120));
		expect(bench.sandbox.mostInFlight).toBe(3);
	});

	it('G7 Retry Undialed sends rows again that the API could not dial for now, and no others', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'rate_limited', error: 'Busy', times: 1 });
		bench.sandbox.destinationOutcome.set(phone(2), { status: 'temporarily_unavailable', error: 'Busy', times: 2 });
		bench.sandbox.destinationOutcome.set(phone(3), { status: 'locked', error: 'Locked' });
		const run = await bench.run(options({ retryUndialed: true }), contacts(5));
		expect(run.json.map(({ status }) => status)).toEqual(['initiated', 'initiated', 'initiated', 'locked', 'initiated']);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.sandbox.requests).toHaveLength(3);
	});

	it('G7 without Retry Undialed such rows come out as they are', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'rate_limited', error: 'Busy' });
		const run = await bench.run(options({}), contacts(2));
		expect(run.json[1]).toMatchObject({ success: false, status: 'rate_limited', reason: 'Busy' });
		expect(bench.sandbox.requests).toHaveLength(1);
	});
});
