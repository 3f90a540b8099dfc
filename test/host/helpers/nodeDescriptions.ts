import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';
import type { N8nClient } from './client';

export type Described = (
	node: Pick<INode, 'type' | 'typeVersion'>,
) => INodeTypeDescription | undefined;

/** All node types of this n8n, as its editor loads them, including tools and older versions. */
export async function describedNodes(client: N8nClient): Promise<Described> {
	const descriptions = (await client.nodeTypes()) as INodeTypeDescription[];
	return ({ type, typeVersion }) =>
		descriptions.find(
			({ name, version }) => name === type && [version].flat().includes(typeVersion),
		);
}

/** Paths in `stored` that are not in `known`. Lists are fields' values and are compared as one. */
function missing(stored: unknown, known: unknown, path: string): string[] {
	if (known === undefined) return [path];
	if (!isGroup(stored) || !isGroup(known)) return [];
	return Object.entries(stored).flatMap(([key, value]) =>
		missing(value, known[key], `${path}.${key}`),
	);
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What the editor would complain about in a node: a type that n8n does not have, stored fields that its type does not have or does not
 * show for what is chosen, values that are not among a field's options, and required fields left empty.
 */
export function complaintsAbout(
	node: INode,
	description: INodeTypeDescription | undefined,
): string[] {
	if (!description)
		return [`${node.name}: n8n has no ${node.type} of version ${node.typeVersion}.`];
	const { properties } = description;
	const known =
		NodeHelpers.getNodeParameters(properties, node.parameters, true, false, node, description) ??
		{};
	const issues =
		NodeHelpers.getNodeParametersIssues(properties, { ...node, parameters: known }, description)
			?.parameters ?? {};
	return [
		...missing(node.parameters, known, node.name),
		...Object.entries(issues).map(([field, texts]) => `${node.name}.${field}: ${texts.join(' ')}`),
	];
}
