import './engine/helpers/quietHost';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';
import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

/**
 * The names that saved workflows and the nodes after ours refer to, with their choices and defaults. A line that is
 * removed or changed breaks workflows of users. Add new lines with `npx jest test/publicNames.test.ts -u`.
 */

const root = join(__dirname, '..');
const loader = new PackageDirectoryLoader(root);
beforeAll(() => loader.loadAll());

type Property = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** One line for each field and each field inside of it, without those that only show a text. */
function fields(properties: readonly Property[], path = ''): string[] {
	return properties.flatMap((property) => {
		if ('values' in property) return fields(property.values, `${path}${property.name}.`);
		if (!('type' in property) || property.type === 'notice') return [];
		const inner = (property.options ?? []) as Property[];
		const choices = inner.flatMap((option) => ('value' in option ? [String(option.value)] : []));
		const line = `${path}${property.name}: ${property.type} = ${JSON.stringify(property.default)}`;
		return [
			choices.length > 0 ? `${line} of ${choices.sort().join(', ')}` : line,
			...fields(inner, `${path}${property.name}.`),
		];
	});
}

/** Sorted, because a field's place in the panel does not matter here. */
const lines = (properties: readonly Property[]): string[] =>
	[...new Set(fields(properties))].sort();

interface Preview {
	type: string | string[];
	properties?: Record<string, Preview>;
	items?: Preview;
}

/** One line for each field that comes out. */
function outputs({ properties = {}, items }: Preview, path = ''): string[] {
	const inner = Object.entries(properties).flatMap(([name, field]) => [
		`${path}${name}: ${[field.type].flat().join(' or ')}`,
		...outputs(field, `${path}${name}.`),
	]);
	return [...inner, ...(items ? outputs(items, `${path}[].`) : [])].sort();
}

const previewOf = (resource: string, operation: string): Preview =>
	JSON.parse(
		readFileSync(
			join(root, 'dist/nodes/OutboundCalls/__schema__/v1.0.0', resource, `${operation}.json`),
			'utf8',
		),
	) as Preview;

const shown = ({ displayOptions }: INodeProperties, by: 'resource' | 'operation') =>
	displayOptions?.show?.[by] as INodePropertyOptions['value'][] | undefined;

/** Each operation with its fields and what comes out of it. */
function operations({ properties }: INodeTypeDescription): object {
	const selectors = properties.filter(({ name }) => name === 'operation');
	return Object.fromEntries(
		selectors.flatMap((selector) =>
			(selector.options as INodePropertyOptions[]).map(({ value }) => {
				const resource = String(shown(selector, 'resource'));
				const own = properties.filter(
					(field) =>
						shown(field, 'resource')?.includes(resource) &&
						shown(field, 'operation')?.includes(value),
				);
				return [
					`${resource} ${String(value)}`,
					{ fields: lines(own), output: outputs(previewOf(resource, String(value))) },
				];
			}),
		),
	);
}

const ofNode = (node: INodeTypeDescription): object => ({
	version: node.version,
	credentials: (node.credentials ?? []).map(({ name }) => name),
	webhooks: (node.webhooks ?? []).map(
		({ name, httpMethod, path }) => `${name}: ${httpMethod} ${path}`,
	),
	fields: lines(node.properties.filter((field) => !shown(field, 'operation'))),
	operations: operations(node),
});

it('what saved workflows hold is called as it always was', () => {
	const types = <T>(known: object, of: (name: string) => T) =>
		Object.fromEntries(Object.keys(known).map((name) => [name, of(name)]));
	expect({
		nodes: types(loader.known.nodes, (name) =>
			ofNode(loader.getNode(name).type.description as INodeTypeDescription),
		),
		credentials: types(loader.known.credentials, (name) =>
			lines(loader.getCredential(name).type.properties),
		),
	}).toMatchSnapshot();
});
