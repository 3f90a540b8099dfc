import { SEED } from '../seed';
import { campaignsHold } from './properties';
import { seedsFrom } from './series';

/** Seeds that once showed something: `npm run explore` found them. */
const FOUND = [
	805_050_783, 910_000_865, 910_001_786, 940_000_126, 941_000_713, 961_000_519, 991_000_170,
	991_000_242,
];

// Two files, because they run side by side; `npm run chaos` runs more and longer campaigns.
campaignsHold([...FOUND, ...seedsFrom(SEED * 1_000 + 150, 150)], 30);
