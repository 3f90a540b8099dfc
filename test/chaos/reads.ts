import type { Sandbox } from '../sandbox';
import type { Count } from './count';
import type { Chance } from './random';

export async function readBatches(_chance: Chance, _sandbox: Sandbox, _count: Count): Promise<void> {
	await Promise.resolve();
}
