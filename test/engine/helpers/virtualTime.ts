import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { Sandbox } from '../../sandbox';

const SENT = 'http.client.request.start';
/** Turns of the event loop after which nobody has anything else to do. */
const QUIET_TURNS = 10;
/** What is shorter is no wait for somebody else: it ends while time stands still, too. */
const SHORT_MS = 100;

interface Timer {
	at: number;
	ms: number;
	ring: () => void;
}

/**
 * The clock of the node and of its sandbox; the time of day passes with it. It stands while anybody works, and then goes on to
 * the next moment that somebody waits for: so an hour takes no time, and no machine is too slow for a second.
 */
export class VirtualTime {
	private time = 0;
	/** When the test began. */
	private begun = 0;
	private readonly timers = new Set<Timer>();
	/** Of requests: those that were not sent yet, and those that are not over. */
	private readonly unsent = new Set<Timer>();
	private readonly deadlines = new Set<Timer>();
	/** Requests that were sent and are not over. */
	private underWay = 0;
	private runs = 0;
	private stands = false;
	private waiting: Array<() => void> = [];
	private readonly real = {
		setTimeout: globalThis.setTimeout,
		clearTimeout: globalThis.clearTimeout,
		timeout: AbortSignal.timeout.bind(AbortSignal),
		timeOfDay: Date.now.bind(Date),
	};

	constructor(private readonly sandbox: () => Sandbox) {}

	/** In milliseconds. */
	now = (): number => this.time;

	install(): void {
		const setTimeout = (ring: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
			this.add(this.timers, ms, () => ring(...args));
		const clearTimeout = (timer: unknown): void => {
			if (!this.timers.delete(timer as Timer)) this.real.clearTimeout(timer as NodeJS.Timeout);
		};
		const timeout = (ms: number): AbortSignal => {
			const deadline = new AbortController();
			this.add(this.unsent, ms, () => deadline.abort());
			return deadline.signal;
		};
		Object.assign(globalThis, { setTimeout, clearTimeout });
		Object.assign(AbortSignal, { timeout });
		performance.now = this.now;
		Date.now = () => this.real.timeOfDay() + this.time - this.begun;
		subscribe(SENT, this.sent);
	}

	uninstall(): void {
		const { timeout, timeOfDay, setTimeout, clearTimeout } = this.real;
		Object.assign(globalThis, { setTimeout, clearTimeout });
		Object.assign(AbortSignal, { timeout });
		Date.now = timeOfDay;
		Reflect.deleteProperty(performance, 'now');
		unsubscribe(SENT, this.sent);
		// Of a test that failed.
		this.runs = 0;
	}

	reset(): void {
		for (const timers of [this.timers, this.unsent, this.deadlines]) timers.clear();
		this.stands = false;
		this.begun = this.time;
	}

	/** Time passes until this is done. */
	async during<T>(work: Promise<T>): Promise<T> {
		if (this.runs++ === 0) void this.pass();
		return await work.finally(() => this.runs--);
	}

	/** No wait ends any more until `goOn`. Comes back when waiting is all that is left to do. */
	async standStill(): Promise<void> {
		this.stands = true;
		await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	goOn(): void {
		this.stands = false;
	}

	/** So much time passes at once. */
	elapse(ms: number): void {
		this.time += ms;
	}

	/** The time of day goes on so many days later. Nobody has waited meanwhile. */
	laterDays(days: number): void {
		this.begun -= days * 86_400_000;
	}

	private add(timers: Set<Timer>, ms: number, ring: () => void): object {
		const timer = {
			at: this.time + Math.max(1, Math.ceil(ms)),
			ms,
			ring: () => {
				timers.delete(timer);
				this.deadlines.delete(timer);
				ring();
			},
			unref: () => timer,
		};
		timers.add(timer);
		return timer;
	}

	private readonly sent = (message: unknown): void => {
		const { request } = message as { request: NodeJS.EventEmitter };
		const [deadline] = this.unsent;
		if (deadline && this.unsent.delete(deadline)) this.deadlines.add(deadline);
		this.underWay++;
		request.once('close', () => {
			this.underWay--;
			if (deadline) this.deadlines.delete(deadline);
		});
	};

	private async pass(): Promise<void> {
		for (let quietTurns = 0; this.runs > 0; quietTurns++) {
			if (this.underWay > this.sandbox().hanging) quietTurns = -1;
			if (quietTurns >= 0 && quietTurns < QUIET_TURNS) await turn();
			else if (quietTurns < 0 || !(await this.next())) await delay(1);
			else quietTurns = 0;
		}
	}

	/** Goes on to the next moment; false if there is none yet. */
	private async next(): Promise<boolean> {
		const timers = [...this.timers, ...this.deadlines];
		const due = this.stands ? timers.filter(({ ms }) => ms < SHORT_MS) : timers;
		if (due.length === 0 && timers.length > 0) for (const each of this.waiting.splice(0)) each();
		const at = Math.min(...due.map((timer) => timer.at));
		if (at === Infinity) return false;
		this.time = at;
		const now = due.filter((timer) => timer.at === at);
		const left = this.sandbox().hanging - now.filter((each) => this.deadlines.has(each)).length;
		for (const timer of now) timer.ring();
		// The server hears that its clients have left before anybody else sends.
		while (this.sandbox().hanging > left) await delay(1);
		return true;
	}
}
