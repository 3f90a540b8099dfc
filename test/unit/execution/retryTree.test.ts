import type { IExecuteFunctions } from 'n8n-workflow';
import { retryTree } from '../../../nodes/OutboundCalls/execution/retryTree';

const contextOf = (startTimes: Record<string, number>): IExecuteFunctions =>
	({
		getMode: () => 'manual',
		getNode: () => ({ id: '1', name: 'Calls' }),
		getExecutionId: () => '7',
		runExecutionData: {
			resultData: {
				runData: Object.fromEntries(
					Object.entries(startTimes).map(([name, startTime]) => [name, [{ startTime }]]),
				),
			},
		},
	}) as unknown as IExecuteFunctions;

it('a tool that an agent has asked for, whose time is 0 until it has run, does not make another execution of it', () => {
	const before = retryTree(contextOf({ Start: 1_000, Agent: 2_000 }));
	expect(retryTree(contextOf({ Start: 1_000, Agent: 2_000, Calls: 0 }))).toEqual(before);
	expect(before.ids).toEqual(['1 1000 Start', 'name Calls 1000 Start']);
});
