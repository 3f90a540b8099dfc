import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const DOCUMENT_FILE = join(__dirname, '../../docs/api.openapi.yaml');

/** The document's name in the validator, so that its schemas find each other. */
export const DOCUMENT_ID = 'api';

export type Schema = Record<string, unknown>;
export type Content = Record<string, { schema: Schema }>;

interface Reference {
	$ref: string;
}

export interface Response {
	headers?: Record<string, { schema: Schema }>;
	content?: Content;
}

export interface Operation {
	parameters?: Array<{ name: string; in: 'path' | 'query'; schema: Schema }>;
	requestBody?: { content: Content };
	responses: Record<string, Response | Reference>;
}

export interface ContractDocument {
	paths: Record<string, Record<string, Operation>>;
	components: { responses: Record<string, Response>; schemas: Record<string, Schema> };
}

/** The documented API. Its references are written out, so that each part can be compiled alone. */
export function readDocument(): ContractDocument {
	const absolute = (key: unknown, value: unknown) =>
		key === '$ref' ? `${DOCUMENT_ID}${String(value)}` : value;
	return parse(readFileSync(DOCUMENT_FILE, 'utf8'), absolute) as ContractDocument;
}

/** The operation at a path below the base URL, with the values of its path parameters. */
export function operationAt({ paths }: ContractDocument, method: string, path: string) {
	for (const [template, operations] of Object.entries(paths)) {
		const match = new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(path);
		const operation = operations[method.toLowerCase()];
		if (match && operation) return { operation, pathValues: { ...match.groups } };
	}
	return undefined;
}

/** An exact status goes before its range, and a range before the default. */
export function responseFor(
	{ components }: ContractDocument,
	{ responses }: Operation,
	status: number,
): Response | undefined {
	const response =
		responses[status] ?? responses[`${String(status)[0] ?? ''}XX`] ?? responses.default;
	return response && '$ref' in response
		? components.responses[response.$ref.split('/').at(-1) ?? '']
		: response;
}
