import {
	type IConnection,
	type IExecuteFunctions,
	type INode,
	type INodeTypes,
	type IRunData,
	NodeConnectionTypes,
	Workflow,
} from 'n8n-workflow';
import { earlierSteps } from '../../../nodes/OutboundCalls/execution/earlierSteps';
import type { Execution } from '../../../nodes/OutboundCalls/execution/execution';
import type { FlowState } from '../../../nodes/OutboundCalls/execution/nodeState';
import { changedStep } from '../../../nodes/OutboundCalls/input/changedSteps';
import { node } from '../../workflowNode';

/** The host keeps parameters of a type that it does not know as they are. */
const nodeTypes = { getByNameAndVersion: () => undefined } as unknown as INodeTypes;

/** A workflow of these wires (`Sheet > Edit`, `If:1 > Calls` from its second output, `List > Merge@1` into its second input), as it was saved at a moment. */
interface Saved {
	wires: string[];
	settings?: Record<string, Partial<INode>>;
	savedAt: number;
}

/** `Edit@7`: began at 7; `Edit@7<Loop:1`: was given its items by the second output of the loop, `Loop.2` by its third run, `Sheet&List` by one for each input. */
type Ran = string;

function workflowOf({ wires, settings = {} }: Saved): Workflow {
	const names = new Set<string>();
	const connections: Record<string, { main: IConnection[][] }> = {};
	for (const wire of wires) {
		const [from, into] = wire.split(' > ') as [string, string];
		const [to, input = '0'] = into.split('@') as [string, string?];
		const [name, output = '0'] = from.split(':') as [string, string?];
		const outputs = (connections[name] ??= { main: [] }).main;
		while (outputs.length <= Number(output)) outputs.push([]);
		outputs[Number(output)]!.push({
			node: to,
			type: NodeConnectionTypes.Main,
			index: Number(input),
		});
		names.add(name).add(to);
	}
	const nodes = [...names].map((name) => ({
		...node(name, name === 'Loop' ? 'n8n-nodes-base.splitInBatches' : 'any', 3, {}),
		...settings[name],
	}));
	return new Workflow({ id: '1', nodes, connections, active: false, nodeTypes });
}

function runDataOf(ran: Ran[]): IRunData {
	const data: IRunData = {};
	for (const each of ran) {
		const [, step, at, given] = /^(\w+)@(\d+)(?:<(.+))?$/.exec(each)!;
		const source = (given?.split('&') ?? []).map((one) => {
			const [, previousNode, run, output] = /^(\w+)(?:\.(\d))?(?::(\d))?$/.exec(one)!;
			return {
				previousNode: previousNode!,
				previousNodeRun: Number(run ?? 0),
				previousNodeOutput: Number(output ?? 0),
			};
		});
		(data[step!] ??= []).push({
			startTime: Number(at),
			executionIndex: 0,
			executionTime: 1,
			source,
			data: { main: [[{ json: {} }]] },
		});
	}
	return data;
}

/** One execution, in which the nodes of this package have had their turns, each after what had run by then. */
class Tries {
	private readonly flow: FlowState = {};

	/** Why `of` would call nobody, given its items by `from`. */
	run(
		saved: Saved,
		ran: Ran[],
		{ isRetry = false, of = 'Calls', from = 'Edit', parameters = {} } = {},
	): string | undefined {
		const [previousNode, previousNodeOutput = '0'] = from.split(':') as [string, string?];
		const last = ran.filter((each) => each.startsWith(`${previousNode}@`)).length - 1;
		const context = {
			getInputData: () => [{ json: {} }],
			getNode: () => ({ name: of, type: 'ours', parameters }),
			getInputSourceData: () => ({
				previousNode,
				previousNodeRun: last,
				previousNodeOutput: Number(previousNodeOutput),
			}),
			getWorkflowDataProxy: () => ({ $: () => ({ all: () => [] }) }),
			runExecutionData: { resultData: { runData: runDataOf(ran) } },
			workflow: workflowOf(saved),
			additionalData: { hooks: { workflowData: { updatedAt: new Date(saved.savedAt) } } },
		} as unknown as IExecuteFunctions;
		return changedStep({
			flow: this.flow,
			tree: { isRetry },
			steps: earlierSteps(context),
		} as unknown as Execution)?.message;
	}
}

const SINCE = 'was changed since, and a Retry takes what it gave before';
const edit = (value: string): Partial<INode> => ({ parameters: { value } });
const LINE = ['Start > Sheet', 'Sheet > Edit', 'Edit > Calls'];
const RAN = ['Start@1', 'Sheet@2<Start', 'Edit@3<Sheet'];
const isRetry = true;

describe('G4 a Retry, of which a step before the node', () => {
	it.each<[string, Omit<Saved, 'savedAt'>, string | undefined]>([
		['is as it was', { wires: LINE }, undefined],
		[
			'has other settings',
			{ wires: LINE, settings: { Edit: edit('b') } },
			`The step "Edit" ${SINCE}`,
		],
		[
			'has its settings in another order',
			{ wires: LINE, settings: { Edit: { parameters: { b: 1, a: { d: 1, c: [2] } } } } },
			`The step "Edit" ${SINCE}`,
		],
		[
			'has another credential',
			{ wires: LINE, settings: { Sheet: { credentials: { api: { id: '2', name: '' } } } } },
			`The step "Sheet" ${SINCE}`,
		],
		[
			'is deactivated',
			{ wires: LINE, settings: { Edit: { disabled: true } } },
			`The step "Edit" ${SINCE}`,
		],
		[
			'has a note, and another place on the canvas',
			{ wires: LINE, settings: { Edit: { notes: 'x', position: [7, 7] } } },
			undefined,
		],
		[
			'was put between',
			{ wires: ['Start > Sheet', 'Sheet > Edit', 'Edit > Filter', 'Filter > Calls'] },
			`The workflow or the step "Edit" ${SINCE}`,
		],
		[
			'was put between others',
			{ wires: ['Start > Sheet', 'Sheet > Filter', 'Filter > Edit', 'Edit > Calls'] },
			`The step "Edit" ${SINCE}`,
		],
		[
			'was put behind what began it',
			{ wires: ['Start > Filter', 'Filter > Sheet', 'Sheet > Edit', 'Edit > Calls'] },
			`The step "Sheet" ${SINCE}`,
		],
		[
			'is given other items, too',
			{ wires: [...LINE, 'Start > Other', 'Other > Edit'] },
			`The step "Edit" ${SINCE}`,
		],
		['may be begun in another way, too', { wires: ['Every > Sheet', ...LINE] }, undefined],
		[
			'is begun by another trigger now',
			{ wires: ['Every > Sheet', 'Start > Other', 'Sheet > Edit', 'Edit > Calls'] },
			undefined,
		],
		[
			'stands behind a trigger that was renamed',
			{ wires: ['Webhook > Sheet', 'Sheet > Edit', 'Edit > Calls'] },
			undefined,
		],
		['has a neighbour', { wires: [...LINE, 'Sheet > Other'] }, undefined],
		['has another step behind the node', { wires: [...LINE, 'Calls > Report'] }, undefined],
	])('%s', (_, saved, message) => {
		const tries = new Tries();
		const first = { wires: LINE, savedAt: 0 };
		expect(tries.run(first, RAN)).toBeUndefined();
		expect(tries.run({ ...saved, savedAt: 9 }, RAN, { isRetry })).toBe(message);
	});

	it('has the same settings, entered in another order or chosen from a list once more: it goes on', () => {
		const tries = new Tries();
		const settings = {
			Edit: { parameters: { a: { c: [2], d: 1 }, b: { value: '7', cachedResultName: 'Old' } } },
		};
		tries.run({ wires: LINE, settings, savedAt: 0 }, RAN);
		const again = {
			Edit: { parameters: { b: { value: '7', cachedResultUrl: 'x' }, a: { d: 1, c: [2] } } },
		};
		expect(
			tries.run({ wires: LINE, settings: again, savedAt: 9 }, RAN, { isRetry }),
		).toBeUndefined();
	});

	it('has other defaults since n8n was updated, and nobody has saved the workflow: it goes on', () => {
		const tries = new Tries();
		tries.run({ wires: LINE, savedAt: 0 }, RAN);
		expect(
			tries.run({ wires: LINE, settings: { Edit: edit('new default') }, savedAt: 0 }, RAN, {
				isRetry,
			}),
		).toBeUndefined();
	});

	it('hangs on the other output of an If now: nobody is called', () => {
		const tries = new Tries();
		const by = (output: number) => ['Start > Sheet', 'Sheet > If', `If:${output} > Calls`];
		const ran = ['Start@1', 'Sheet@2<Start', 'If@3<Sheet'];
		expect(tries.run({ wires: by(0), savedAt: 0 }, ran, { from: 'If:0' })).toBeUndefined();
		expect(tries.run({ wires: by(1), savedAt: 9 }, ran, { isRetry, from: 'If:0' })).toBe(
			`The workflow or the step "If" ${SINCE}`,
		);
	});

	it('hangs, through an Edit Fields, on the other output of an If now: nobody is called', () => {
		const tries = new Tries();
		const by = (output: number) => ['Start > If', `If:${output} > Edit`, 'Edit > Calls'];
		const ran = ['Start@1', 'If@2<Start', 'Edit@3<If'];
		expect(tries.run({ wires: by(0), savedAt: 0 }, ran)).toBeUndefined();
		expect(tries.run({ wires: by(1), savedAt: 9 }, ran, { isRetry })).toBe(
			`The workflow or the step "Edit" ${SINCE}`,
		);
	});

	it('is a Merge whose inputs were swapped: nobody is called', () => {
		const tries = new Tries();
		const by = (sheet: number) => [
			'Start > Sheet',
			'Start > List',
			`Sheet > Merge@${sheet}`,
			`List > Merge@${1 - sheet}`,
			'Merge > Calls',
		];
		const ran = ['Start@1', 'Sheet@2<Start', 'List@2<Start', 'Merge@3<List&Sheet'];
		expect(tries.run({ wires: by(1), savedAt: 0 }, ran, { from: 'Merge' })).toBeUndefined();
		expect(
			tries.run({ wires: by(1), savedAt: 9 }, ran, { isRetry, from: 'Merge' }),
		).toBeUndefined();
		expect(tries.run({ wires: by(0), savedAt: 9 }, ran, { isRetry, from: 'Merge' })).toBe(
			`The workflow or the step "Merge" ${SINCE}`,
		);
	});

	it('follows on a deactivated one, which Execute step leaves out: it goes on', () => {
		const tries = new Tries();
		const wires = ['Start > Sheet', 'Sheet > Off', 'Off > Edit', 'Edit > Calls'];
		const settings = { Off: { disabled: true } };
		expect(tries.run({ wires, settings, savedAt: 0 }, RAN)).toBeUndefined();
		expect(tries.run({ wires, settings, savedAt: 9 }, RAN, { isRetry })).toBeUndefined();
		expect(tries.run({ wires, savedAt: 9 }, RAN, { isRetry })).toBe(`The step "Edit" ${SINCE}`);
		const byStep = new Tries();
		expect(
			byStep.run({ wires: ['Start > Sheet', 'Sheet > Edit', 'Edit > Calls'], savedAt: 0 }, RAN),
		).toBeUndefined();
		expect(byStep.run({ wires, settings, savedAt: 9 }, RAN, { isRetry })).toBeUndefined();
	});

	it('follows on deactivated ones that lead to each other: nobody is called, and nothing breaks', () => {
		const settings = { A: { disabled: true }, B: { disabled: true } };
		const wires = ['Start > Sheet', 'A > B', 'B > A', 'A > Edit', 'Edit > Calls', 'Sheet > Other'];
		const tries = new Tries();
		expect(tries.run({ wires, settings, savedAt: 0 }, RAN)).toBeUndefined();
		expect(tries.run({ wires, settings, savedAt: 9 }, RAN, { isRetry })).toBe(
			`The workflow or the step "Edit" ${SINCE}`,
		);
	});

	it('reads a list on a branch of its own, which the node names only since: it goes on where the list is as it was, and otherwise calls nobody', () => {
		const wires = [...LINE, 'Start > List'];
		const ran = [...RAN, 'List@2<Start'];
		const parameters = { doNotCall: "={{ $('List').all().map((item) => item.json.phone) }}" };
		const first = (): Tries => {
			const tries = new Tries();
			tries.run({ wires, savedAt: 0 }, ran);
			return tries;
		};
		expect(first().run({ wires, savedAt: 9 }, ran, { isRetry, parameters })).toBeUndefined();
		const changed = { wires, settings: { List: edit('other table') }, savedAt: 9 };
		expect(first().run(changed, ran, { isRetry, parameters })).toBe(`The step "List" ${SINCE}`);
		expect(first().run(changed, ran, { isRetry })).toBeUndefined();
	});
});

describe('G4 a Retry of a workflow with two nodes', () => {
	const wires = [...LINE, 'Calls > Report', 'Report > Http', 'Http > Second'];
	const ran = [...RAN, 'Calls@4<Edit', 'Report@5<Calls'];

	it('of which a step between them was corrected: the second one goes on', () => {
		const tries = new Tries();
		tries.run({ wires, savedAt: 0 }, RAN);
		const corrected = { wires, settings: { Http: edit('b') }, savedAt: 9 };
		expect(
			tries.run(corrected, [...ran, 'Http@10<Report'], { isRetry, of: 'Second', from: 'Http' }),
		).toBeUndefined();
	});

	it('of which a step before the first one was changed: the second one calls nobody', () => {
		const tries = new Tries();
		tries.run({ wires, savedAt: 0 }, RAN);
		const changed = { wires, settings: { Edit: edit('b') }, savedAt: 9 };
		expect(
			tries.run(changed, [...ran, 'Http@10<Report'], { isRetry, of: 'Second', from: 'Http' }),
		).toBe(`The step "Edit" ${SINCE}`);
	});
});

describe('G4 a Retry in a loop', () => {
	const wires = ['Start > Sheet', 'Sheet > Loop', 'Loop:1 > Edit', 'Edit > Calls', 'Calls > Loop'];
	const round1 = ['Start@1', 'Sheet@2<Start', 'Loop@3<Sheet', 'Edit@4<Loop:1'];
	const round2 = [...round1, 'Calls@5<Edit', 'Loop@6<Calls', 'Edit@7<Loop.1:1'];
	const from = 'Edit';

	/** Round 1, and as far as it came in round 2. */
	const twoRounds = (came: Ran[] | undefined): Tries => {
		const tries = new Tries();
		expect(tries.run({ wires, savedAt: 0 }, round1, { from })).toBeUndefined();
		if (came) expect(tries.run({ wires, savedAt: 0 }, came, { from })).toBeUndefined();
		return tries;
	};

	it.each([
		['a step was put behind the node', [...wires.slice(0, -1), 'Calls > Wait', 'Wait > Loop']],
		['nothing was changed', wires],
	])('where %s: it goes on', (_, now) => {
		expect(
			twoRounds(round2).run({ wires: now, savedAt: 9 }, round2, { isRetry, from }),
		).toBeUndefined();
	});

	it('where a Filter was put between the loop and a step: nobody is called', () => {
		const now = [
			'Start > Sheet',
			'Sheet > Loop',
			'Loop:1 > Filter',
			'Filter > Edit',
			'Edit > Calls',
			'Calls > Loop',
		];
		expect(twoRounds(round2).run({ wires: now, savedAt: 9 }, round2, { isRetry, from })).toBe(
			`The workflow or the step "Edit" ${SINCE}`,
		);
	});

	it('where a step could not work in the second round, was corrected, and runs anew: it goes on, also in a next Retry', () => {
		const tries = twoRounds(undefined);
		const corrected = { wires, settings: { Edit: edit('b') }, savedAt: 9 };
		const anew = [...round2.slice(0, -1), 'Edit@10<Loop.1:1'];
		expect(tries.run(corrected, anew, { isRetry, from })).toBeUndefined();
		expect(tries.run({ ...corrected, savedAt: 11 }, anew, { isRetry, from })).toBeUndefined();
		expect(
			tries.run({ wires, settings: { Edit: edit('c') }, savedAt: 12 }, anew, { isRetry, from }),
		).toBe(`The step "Edit" ${SINCE}`);
	});

	it('that ended behind a step, in the second round, which was corrected: nobody is called', () => {
		const corrected = { wires, settings: { Edit: edit('b') }, savedAt: 9 };
		expect(twoRounds(undefined).run(corrected, round2, { isRetry, from })).toBe(
			`The step "Edit" ${SINCE}`,
		);
	});

	it('of which a step was corrected, and saved, while the first round was calling: nobody is called', () => {
		const corrected = { wires, settings: { Edit: edit('b') }, savedAt: 5 };
		expect(twoRounds(round2).run(corrected, round2, { isRetry, from })).toBe(
			`The step "Edit" ${SINCE}`,
		);
	});
});
