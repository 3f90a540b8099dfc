import type { StoredList } from '../../../nodes/OutboundCalls/execution/keyStore';

/** Does something at once, at some moment between its being called and its resolving. */
export type Statement = <T>(effect: () => T) => Promise<T>;

/**
 * n8n's table of lists. A new list is an INSERT, which fails if somebody was faster; an old one is
 * read and written back whole.
 */
export class HostTable {
	readonly rows = new Map<string, readonly string[]>();

	/** `id`: the same for all executions of one process. */
	list(name: string, id: string, read: Statement, write = read): StoredList {
		const { rows } = this;
		const update = async (keys: readonly string[]): Promise<unknown> =>
			await write(() => rows.has(name) && rows.set(name, keys));
		return {
			id,
			async record(keys) {
				const before = await read(() => rows.get(name));
				const known = new Set(before);
				const fresh = keys.filter((key) => !known.has(key));
				if (before) await update([...before, ...fresh]);
				else
					await write(() => {
						if (rows.has(name)) throw new Error('duplicate key value');
						rows.set(name, fresh);
					});
				return new Set(fresh);
			},
			async remove(keys) {
				const gone = new Set(keys);
				const before = await read(() => rows.get(name));
				if (before) await update(before.filter((key) => !gone.has(key)));
			},
			count: async () => await read(() => rows.get(name)?.length ?? 0),
			async clear() {
				await write(() => rows.delete(name));
			},
		};
	}
}
