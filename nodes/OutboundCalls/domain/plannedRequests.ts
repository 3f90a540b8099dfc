import { requestPlan } from './requestPlan';
import type { Row } from './row';
import { difference } from './sharing';

/** In a dry run, the number of the request that a row would be part of, from 1, by position. A row that would share a call is part of that call's. */
export function plannedRequests(
	rows: readonly Row[],
	{ callers, followers }: { callers: readonly Row[]; followers: ReadonlyMap<number, Row> },
	chunkSize: number,
): Map<number, number> {
	const requests = new Map<number, number>();
	if (callers.length === 0) return requests;
	requestPlan(callers, chunkSize).forEach((chunk, index) => {
		for (const { position } of chunk.rows) requests.set(position, index + 1);
	});
	for (const row of rows) {
		const first = followers.get(row.position);
		const request =
			first && difference(first, row) === undefined ? requests.get(first.position) : undefined;
		if (request !== undefined) requests.set(row.position, request);
	}
	return requests;
}
