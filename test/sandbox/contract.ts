import {
	type Content,
	operationAt,
	type Operation,
	readDocument,
	responseFor,
} from './contractDocument';
import { SchemaChecks } from './contractSchemas';
import type { OwnAnswer } from './types';

/** Something sent to the API. */
export type ApiRequest = Omit<OwnAnswer, 'status'>;

/** Says where requests and answers depart from docs/api.openapi.yaml: one sentence for each departure. */
export class Contract {
	private readonly document = readDocument();
	private readonly answers = new SchemaChecks(this.document);
	/** The document leaves fields open that it does not name, but a client has no reason to send one. */
	private readonly requests = new SchemaChecks(this.document, (schema) => ({
		...schema,
		unevaluatedProperties: false,
	}));
	/** For what travels as text, in addresses and headers. */
	private readonly texts = new SchemaChecks(
		this.document,
		(schema) => ({ properties: { value: schema } }),
		{ coerceTypes: true },
	);

	requestDepartures(request: ApiRequest): string[] {
		return this.departures(request, 'request', (operation, pathValues) => [
			...this.inAddress(operation, pathValues, request.path),
			...inContent(this.requests, operation.requestBody?.content, request),
		]);
	}

	answerDepartures(answer: OwnAnswer): string[] {
		return this.departures(answer, `answer ${answer.status}`, (operation) => {
			const response = responseFor(this.document, operation, answer.status);
			if (!response) return ['the status is not documented'];
			const headers = Object.entries(response.headers ?? {});
			return [
				...headers.flatMap(([name, { schema }]) =>
					this.texts.departures(schema, { value: answer.headers[name.toLowerCase()] }, name),
				),
				...inContent(this.answers, response.content, answer),
			];
		});
	}

	private departures(
		{ method, path }: ApiRequest,
		what: string,
		check: (operation: Operation, pathValues: Record<string, string>) => string[],
	): string[] {
		const found = operationAt(this.document, method, path.replace(/\?.*/, ''));
		const departures = found
			? check(found.operation, found.pathValues)
			: ['there is no such operation'];
		return departures.map((departure) => `${method} ${path}, ${what}: ${departure}`);
	}

	private inAddress(
		{ parameters = [] }: Operation,
		pathValues: Record<string, string>,
		path: string,
	): string[] {
		const query = Object.fromEntries(new URLSearchParams(/\?(.*)/.exec(path)?.[1]));
		const takesQuery = parameters.some((parameter) => parameter.in === 'query');
		return [
			...(takesQuery || Object.keys(query).length === 0 ? [] : ['a query is not documented']),
			...parameters.flatMap(({ name, in: place, schema }) =>
				// The one query parameter is an exploded object, which stands for the whole query.
				this.texts.departures(
					schema,
					{ value: place === 'query' ? query : decodeURIComponent(pathValues[name] ?? '') },
					name,
				),
			),
		];
	}
}

function inContent(
	checks: SchemaChecks,
	content: Content | undefined,
	{ headers, body }: ApiRequest,
): string[] {
	if (!content) return body === undefined ? [] : ['a body is not documented'];
	const type = String(headers['content-type']).replace(/;.*/, '');
	const documented = content[type];
	return documented
		? checks.departures(documented.schema, body, 'body')
		: [`the content type ${type} is not documented`];
}
