import type { IConnections, INode, INodeParameters } from 'n8n-workflow';

/** A node of a workflow that only tests look at, so it lies where all others lie. */
export const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: object,
	more: Partial<INode> = {},
): INode => ({
	id: name,
	name,
	type,
	typeVersion,
	position: [0, 0],
	parameters: parameters as INodeParameters,
	...more,
});

/** Connections from each of these nodes to the next one. */
export const chain = (...names: string[]): IConnections =>
	Object.fromEntries(
		names
			.slice(1)
			.map((next, n) => [names[n]!, { main: [[{ node: next, type: 'main', index: 0 }]] }]),
	);

/** Prompt variables name and amount, dragged in from the columns of these names, as the editor writes them. */
export const NAME_AND_AMOUNT = {
	assignments: [
		{ id: '1', name: 'name', value: '={{ $json.name }}', type: 'string' },
		{ id: '2', name: 'amount', value: '={{ $json.amount }}', type: 'number' },
	],
};
