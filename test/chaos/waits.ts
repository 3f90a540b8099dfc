import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FaultKind, Sandbox } from '../sandbox';
import type { Chance } from './random';
import type { Shape } from './shape';

/** Faults that keep a request waiting until its client gives up. */
const HANGING: readonly FaultKind[] = ['hangBefore', 'hangAfter', 'drip'];

/** The option Timeout, in seconds. What hangs costs as much, because n8n's timeouts are the machine's; where nothing does, it is longer than any machine needs for an answer. */
export const timeoutFor = ({ faults }: Sandbox): number =>
	faults.some(({ kind }) => HANGING.includes(kind)) ? 3 : 60;

const HOUR_MS = 3_600_000;
/** So many turns of the event loop in which nothing happens: everybody waits. */
const QUIET_TURNS = 20;

/** What the clock of campaigns replaces. */
const machine = {
	now: performance.now.bind(performance),
	timeOfDay: Date.now,
	setTimeout: globalThis.setTimeout,
	clearTimeout: globalThis.clearTimeout,
};

let passedMs = 0;
/** Of midnight of 1970, on the clock that never goes back. */
let epoch = 0;
const timers = new Map<unknown, { at: number; ring: () => void }>();
let underWay = 0;
let quietTurns = 0;
let isListening = false;

const now = (): number => machine.now() + passedMs;

/**
 * Replaces the clocks and timers of this process: time goes on at once to the next timer when everybody
 * waits for one. So a pause of an hour costs nothing, and no time passes while a request is under way.
 */
export function startClock(): () => void {
	const left = (message: unknown): void => {
		const { request } = message as { request: NodeJS.EventEmitter };
		underWay++;
		request.once('close', ended);
	};
	performance.now = now;
	Date.now = () => Math.floor(now() - epoch);
	globalThis.setTimeout = Object.assign(
		(work: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) => {
			const ring = (): void => {
				timers.delete(timer);
				machine.clearTimeout(timer);
				work(...values);
			};
			const timer = machine.setTimeout(ring, ms);
			timers.set(timer, { at: now() + ms, ring });
			listen();
			return timer;
		},
		machine.setTimeout,
	);
	globalThis.clearTimeout = (timer) => {
		timers.delete(timer);
		machine.clearTimeout(timer);
	};
	subscribe('http.client.request.start', left);
	return () => {
		unsubscribe('http.client.request.start', left);
		performance.now = machine.now;
		Date.now = machine.timeOfDay;
		globalThis.setTimeout = machine.setTimeout;
		globalThis.clearTimeout = machine.clearTimeout;
	};
}

/** No time is skipped while this work is under way. */
export async function meanwhile<T>(work: () => Promise<T>): Promise<T> {
	underWay++;
	try {
		return await work();
	} finally {
		ended();
	}
}

function ended(): void {
	underWay--;
	listen();
}

/** From now on, until something is under way. */
function listen(): void {
	quietTurns = 0;
	if (isListening) return;
	isListening = true;
	setImmediate(turn);
}

function turn(): void {
	isListening = underWay === 0 && timers.size > 0;
	if (!isListening) return;
	setImmediate(turn);
	if (++quietTurns < QUIET_TURNS) return;
	quietTurns = 0;
	const next = [...timers.values()].reduce((first, each) => (each.at < first.at ? each : first));
	passedMs += Math.max(0, next.at - now());
	next.ring();
}

/** A campaign begins on this day. */
export function today(time: number): void {
	epoch = now() - time;
}

/** Time passes at once for everybody. */
export function pass(ms: number): void {
	passedMs += ms;
}

/** Until no pause is on that an answer asks for: at most an hour, or what is usual without a Retry-After. */
export const pausesEnd = ({ requests }: Sandbox): void => {
	const ends = requests.map(({ at, retryAfter }) => {
		const seconds = Math.min((Number(retryAfter) || 0) * 1.25, 3_600);
		return at + seconds * 1_000 + 31_000;
	});
	pass(Math.max(0, Math.max(0, ...ends) - Date.now()));
};

/** Part of the hours between calls passes, or more than they last, or nothing; perhaps until the next calling hours. */
export function hoursPass(chance: Chance, { limits: { hoursBetween }, openMinutes }: Shape): void {
	if (hoursBetween !== undefined) pass(chance.of([0, 0.5, 0.8, 0.8, 1.3]) * hoursBetween * HOUR_MS);
	if (openMinutes !== undefined && chance.is(0.7)) nextHour();
}

/** What lies between a look at the clock and the sandbox's look as it has the request: no time is skipped in between. */
export const MOMENT_MS = 60_000;

/** Of its hour. */
export const minuteOf = (time: number): number => (time / 60_000) % 60;

/** Calling hours begin with each hour. */
export const nextHour = (): void => pass(HOUR_MS - (Date.now() % HOUR_MS));

/** Whether somebody who reads this waits before the next execution. */
export const isToldToWait = (finished: unknown): boolean =>
	/Try again in |Wait until tomorrow/.test(JSON.stringify(finished));
