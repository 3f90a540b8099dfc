import type { INode, INodeParameters } from 'n8n-workflow';

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
