import fc from 'fast-check';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { mersenne } from 'pure-rand/generator/mersenne';

/** Everything that tests draw comes from this number, so that they draw the same on every machine. TEST_SEED gives others. */
export const SEED = Number(process.env.TEST_SEED ?? 1);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

// The jitter of the node's waits, and whatever else in a test file draws without a seed of its own.
const generator = mersenne(SEED);
Math.random = () => uniformFloat64(generator);
