import { inspect } from 'node:util';
import type { Campaign } from './courses';
import type { Execution } from './executions';
import { seenOf } from './journal';

/** What happened in a campaign, for whoever looks for the reason of a breach. */
export function story({ shape, rows, settings, executions, sandbox, judge }: Campaign): string {
	const number = (execution: Execution | undefined): number =>
		execution ? executions.all.indexOf(execution) + 1 : 0;
	const lines = [
		inspect({ shape, settings }, { breakLength: 160, depth: 4 }),
		...rows.map((row) => inspect(row, { breakLength: Infinity, depth: 4, maxStringLength: 100 })),
	];
	for (const each of executions.all) {
		const { finished, settings: now, rows: own } = each;
		lines.push(
			`${timeOf(each.beganAt)} Execution ${number(each)}, after ${number(each.parent)}, ${own.length} rows, ${inspect(now, { breakLength: Infinity })}: ${finished.error?.message ?? 'ended'} ${each.broken ?? ''}`,
			...seenOf(sandbox, [each]).requests.map(
				({ at, path, body, status, fault }) =>
					`  ${timeOf(at)} ${path} ${status} ${fault ?? ''} ${inspect(body, { breakLength: Infinity, depth: 4 }).slice(0, 700)}`,
			),
			...executions
				.rounds(each)
				.flatMap(({ items }) => items)
				.map(
					({ json: { status, called, reason, destination, name }, pairedItem }) =>
						`  ${inspect([pairedItem, name, destination, status, called, reason], { breakLength: Infinity })}`,
				),
		);
	}
	lines.push(...judge.findings.map((found) => inspect(found, { breakLength: Infinity, depth: 5 })));
	return lines.join('\n');
}

/** On UTC. */
const timeOf = (time: number): string => new Date(time).toISOString().slice(5, 19);
