/**
 * Claims that also keep to the limits of how often people are called (Calls per Person, Max Calls per Day, Stop When Reached).
 *
 * A row that others claimed for this run is
 * - counted: its call is in each of its counts (`counts.ts`). It may be sent until one of the days, weeks or months that are
 *   counted is over; then its claim has lapsed: it is released, from the memory too, and claimed once more;
 * - refused: one of them was full, or another run waits for a call to its person (`openCalls.ts`). It is in none of them, is released
 *   at once, and says why;
 * - released: it is taken out of its counts.
 *
 * What is traded: rows are counted right before they are sent, with writes of their own, and never ahead of their turn. So when
 * the process dies, the rows of requests under way are counted without having been called; the counts themselves may be too high
 * (`counts.ts`); and refused rows whose claims are still there count as called by the memory. Who was reached is marked only
 * once the run has waited for its calls: when the process dies before that, Stop When Reached does not know of them.
 */
import {
	type CallLimits,
	CALLED_BY_ANOTHER_RUN,
	type Counted,
	type LimitRefusal,
	limitsAt,
} from '../domain/callLimits';
import type { Row } from '../domain/row';
import { type Claims, everyone, rememberAgain } from './claims';
import type { Counts, Taken } from './counts';
import type { OpenCalls } from './openCalls';

interface CountedRow {
	taken: Taken;
	/** Of what they are counts. */
	periods: string;
}

export class WithinLimits implements Claims {
	/** By position. */
	private readonly counted = new Map<number, CountedRow>();
	private readonly refusals = new Map<number, LimitRefusal>();

	constructor(
		private readonly claims: Claims,
		private readonly counts: Counts,
		private readonly limits: CallLimits,
		/** Undefined where no node that shares the list has Stop When Reached. */
		private readonly open: OpenCalls | undefined,
		/** Lets the run call people, or rejects. */
		private readonly openGate: () => Promise<unknown>,
	) {}

	async claim(rows: readonly Row[]): Promise<Set<number>> {
		await this.openGate();
		const claimed = await this.claims.claim(rows);
		const ours = rows.filter(({ position }) => claimed.has(position));
		if (ours.length === 0) return claimed;
		let counted = new Set<number>();
		try {
			counted = await this.count(ours);
		} finally {
			await this.claims.release(ours.filter(({ position }) => !counted.has(position)));
		}
		return counted;
	}

	async release(rows: readonly Row[]): Promise<void> {
		const taken = rows.flatMap(({ position }) => this.counted.get(position)?.taken ?? []);
		for (const { position, person } of rows)
			if (this.counted.delete(position)) this.open?.letGo(person);
		await Promise.all([this.claims.release(rows), this.counts.giveBack(taken)]);
	}

	/** Why a limit keeps a row from being called; undefined when none does. */
	refusalOf({ position }: Row): LimitRefusal | undefined {
		return this.refusals.get(position);
	}

	isForgotten(row: Row): boolean {
		const counted = this.counted.get(row.position);
		return (
			(this.claims.isForgotten?.(row) ?? false) ||
			(counted !== undefined && this.counts.isForgotten(counted.taken))
		);
	}

	/** What nobody took out, such as the calls of a day, stays counted. */
	async rememberAgain(rows: readonly Row[]): Promise<void> {
		await rememberAgain(this.claims, rows);
		await everyone(rows.map(async (row) => await this.countAgain(row)));
	}

	hasLapsed(rows: readonly Row[]): boolean {
		const { periods } = limitsAt(this.limits, Date.now());
		return rows.some(({ position }) => this.counted.get(position)?.periods !== periods);
	}

	expect(rows: readonly Row[]): void {
		this.claims.expect?.(rows);
	}

	pass(rows: readonly Row[]): void {
		this.claims.pass?.(rows);
	}

	async settle(): Promise<void> {
		await this.claims.settle?.();
	}

	/** Counts the row's call in each of those counts that somebody took out, as far as they are not full again. */
	private async countAgain({ position, person }: Row): Promise<void> {
		const before = this.counted.get(position);
		if (!before) return;
		const { taken } = before;
		const forgotten = this.counts.forgotten(taken);
		let again: Counted[] = [];
		const refusals = await this.counts.take(() => {
			again = limitsAt(this.limits, Date.now())
				.countedFor(person)
				.filter(({ name }) => forgotten.has(name));
			return again.map((each) => [each]);
		});
		const counted = [
			...taken.counted.filter(({ name }) => !forgotten.has(name)),
			...again.filter((_each, index) => !refusals[index]),
		];
		this.counted.set(position, { ...before, taken: this.counts.taken(counted) });
	}

	private async count(claimed: readonly Row[]): Promise<Set<number>> {
		const counted = new Set<number>();
		const isToStop = ({ person }: Row): boolean =>
			this.limits.stopWhenReached && this.open?.isOfAnotherRun(person) === true;
		const rows = claimed.filter((row) => !isToStop(row));
		for (const row of claimed)
			if (!rows.includes(row)) this.refusals.set(row.position, CALLED_BY_ANOTHER_RUN);
		// From now on, so that a run which asks at the same moment does not call them, too.
		for (const { person } of rows) this.open?.hold(person);
		try {
			await this.countEach(rows, counted);
		} finally {
			for (const { position, person } of rows) if (!counted.has(position)) this.open?.letGo(person);
		}
		return counted;
	}

	/** Adds those that no limit keeps back. */
	private async countEach(rows: readonly Row[], counted: Set<number>): Promise<void> {
		if (rows.length === 0) return;
		let now = limitsAt(this.limits, Date.now());
		const refusals = await this.counts.take(() => {
			now = limitsAt(this.limits, Date.now());
			return rows.map(({ person }) => now.countedFor(person));
		});
		rows.forEach(({ position, person }, index) => {
			const refusal = refusals[index];
			if (refusal) this.refusals.set(position, refusal);
			else {
				this.counted.set(position, {
					taken: this.counts.taken(now.countedFor(person)),
					periods: now.periods,
				});
				this.refusals.delete(position);
				counted.add(position);
			}
		});
	}
}
