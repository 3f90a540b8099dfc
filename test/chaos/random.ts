import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { mersenne } from 'pure-rand/generator/mersenne';

/** Chance from a seed: the same seed gives the same campaign. */
export class Chance {
	/** The one of the library whose first numbers differ between neighboring seeds. */
	private readonly generator;

	constructor(readonly seed: number) {
		this.generator = mersenne(seed);
	}

	/** In [0, 1). */
	next(): number {
		return uniformFloat64(this.generator);
	}

	/** A whole number from `least` to `most`. */
	int(least: number, most: number): number {
		return uniformInt(this.generator, least, most);
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
