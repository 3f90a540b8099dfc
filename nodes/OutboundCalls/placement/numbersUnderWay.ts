import type { Row } from '../domain/row';
import { untilAborted } from '../execution/clock';

/**
 * Placements under way in this process, of all executions and accounts, by the person they call. No
 * larger than the requests under way.
 */
const underWay = new Map<string, Promise<unknown>>();

const placementTo = (rows: readonly Row[]) =>
	rows.map(({ person }) => underWay.get(person)).find((placement) => placement !== undefined);

/** Whether somebody of these rows is being called at this moment. */
export const isSomeoneBeingCalled = (rows: readonly Row[]) => placementTo(rows) !== undefined;

/**
 * Until nobody of these rows is being called, or the signal is aborted. Another request may begin
 * in the tick after.
 */
export async function untilNobodyIsBeingCalled(
	rows: readonly Row[],
	signal: AbortSignal | undefined,
) {
	for (
		let placement = placementTo(rows);
		placement && !signal?.aborted;
		placement = placementTo(rows)
	)
		await untilAborted(placement, signal);
}

/** Sends a request while no other one of this process may leave to any of its numbers. */
export async function whileCalling<T>(rows: readonly Row[], send: () => Promise<T>): Promise<T> {
	const sending = send();
	const ended = sending.catch(() => undefined);
	for (const { person } of rows) underWay.set(person, ended);
	try {
		return await sending;
	} finally {
		for (const { person } of rows) underWay.delete(person);
	}
}
