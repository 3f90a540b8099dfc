import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SavedCredential, WorkflowDefinition } from './client';
import { repository } from './package';

export const examples = path.join(repository, 'examples');

/** Examples that share tables; campaignKit.test.ts runs them. */
export const KIT = ['', '-setup', '-approval'].map((name) => `campaign${name}`);

/** The files' folder in the examples: where n8n's Docker image looks for them. */
const exampleFolder = '/home/node/.n8n-files';

export interface FilledIn {
	/** Each takes the place of the example's credential of the same type. */
	credentials: SavedCredential[];
	filesFolder: string;
}

/** An example workflow, with this n8n's credentials and files folder filled in as a person would in the editor. */
export async function exampleWorkflow(
	file: string,
	{ credentials, filesFolder }: FilledIn,
): Promise<WorkflowDefinition> {
	const text = await readFile(path.join(examples, file), 'utf8');
	const workflow = JSON.parse(
		text.replaceAll(exampleFolder, JSON.stringify(filesFolder).slice(1, -1)),
	) as WorkflowDefinition;
	for (const node of workflow.nodes) {
		for (const { type, id, name } of credentials) {
			if (node.credentials?.[type]) node.credentials[type] = { id, name };
		}
	}
	return workflow;
}

/** Changes fields of one node, as a person would in its panel. */
export function fillIn({ nodes }: WorkflowDefinition, nodeName: string, parameters: object): void {
	const node = nodes.find(({ name }) => name === nodeName);
	if (!node) throw new Error(`The workflow has no node "${nodeName}".`);
	Object.assign(node.parameters, parameters);
}
