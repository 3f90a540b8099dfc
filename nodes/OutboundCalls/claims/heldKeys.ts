/**
 * Which rows of a run hold which keys. Rows may share a key, such as that of their number. A key is
 * - held: by one row or several;
 * - lost: held, and somebody else took it out of the list (Forget People). The rows that held it by then have to be claimed anew;
 * - let go: the last of them has let it go. Only then may it be taken out of the list.
 * Only the process knows it. When the process dies, nobody lets go of anything: the keys stay in the list.
 */
import type { RunKeys } from './runKeys';

interface HeldKey {
	key: string;
	/** What the run had lost by then. */
	since: number;
}

export class HeldKeys {
	private readonly holders = new Map<string, number>();
	/** By position. */
	private readonly ofRow = new Map<number, HeldKey[]>();

	constructor(private readonly keys: Pick<RunKeys, 'losses' | 'isLost'>) {}

	/** A row holds keys, besides those that it holds already. */
	hold(position: number, keys: readonly string[]): void {
		const since = this.keys.losses;
		for (const key of keys) this.holders.set(key, (this.holders.get(key) ?? 0) + 1);
		this.ofRow.set(position, [
			...(this.ofRow.get(position) ?? []),
			...keys.map((key) => ({ key, since })),
		]);
	}

	/** Whether somebody else took out a key that the row holds. */
	isLost(position: number): boolean {
		return (this.ofRow.get(position) ?? []).some(({ key, since }) => this.keys.isLost(key, since));
	}

	/** The rows let go of all that they hold. Keys that no row holds any more. */
	letGo(positions: readonly number[]): string[] {
		const held = positions.flatMap((position) => this.ofRow.get(position) ?? []);
		for (const position of positions) this.ofRow.delete(position);
		return held.flatMap(({ key }) => {
			const others = this.holders.get(key)! - 1;
			if (others > 0) this.holders.set(key, others);
			else this.holders.delete(key);
			return others === 0 ? [key] : [];
		});
	}
}
