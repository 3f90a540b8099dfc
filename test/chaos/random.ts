/** Chance from a seed (mulberry32): the same seed gives the same campaign. */
export class Chance {
	private state: number;

	constructor(readonly seed: number) {
		this.state = seed >>> 0;
	}

	/** In [0, 1). */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let t = this.state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
	}

	/** A whole number from `least` to `most`. */
	int(least: number, most: number): number {
		return least + Math.floor(this.next() * (most - least + 1));
	}

	is(probability: number): boolean {
		return this.next() < probability;
	}

	of<T>(values: readonly T[]): T {
		return values[this.int(0, values.length - 1)]!;
	}

	shuffled<T>(values: readonly T[]): T[] {
		const result = [...values];
		for (let i = result.length - 1; i > 0; i--) {
			const j = this.int(0, i);
			[result[i], result[j]] = [result[j]!, result[i]!];
		}
		return result;
	}
}
