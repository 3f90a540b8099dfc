/** One measured figure beside its bar. */
export interface Figure {
	what: string;
	/** How it is printed, such as "1.02" or "213 µs". */
	shown: string;
	bar: string;
	holds: boolean;
}

export interface Section {
	title: string;
	figures: Figure[];
	/** What else was measured, as a table for people. */
	table: Array<Record<string, string>>;
}

export const atMost = (
	what: string,
	value: number,
	limit: number,
	show: (value: number) => string,
): Figure => ({ what, shown: show(value), bar: `≤ ${show(limit)}`, holds: value <= limit });

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	return sorted.length % 2 === 1
		? sorted[Math.floor(middle)]!
		: (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const count = (value: number): string => Math.round(value).toLocaleString('en-US');
const times = (value: number): string => value.toFixed(2);
const micros = (value: number): string => `${count(value)} µs`;
const millis = (value: number): string => `${value.toFixed(1)} ms`;
const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
const bytes = (value: number): string => `${count(value)} B`;
const megabytes = (value: number): string => `${(value / 1_000_000).toFixed(1)} MB`;
const kilobytes = (value: number): string => `${(value / 1_000).toFixed(1)} kB`;

/** Figures as they are printed. */
export const show = { count, times, micros, millis, inSeconds, bytes, megabytes, kilobytes };
