import Ajv2020, { type Options, type ValidateFunction } from 'ajv/dist/2020';
import { DOCUMENT_ID, type ContractDocument, type Schema } from './contractDocument';

/** Those that the document uses. */
const FORMATS = {
	uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
	'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
};

/** Checks values against schemas of the document; each schema is compiled once, when it is first needed. */
export class SchemaChecks {
	private readonly ajv: Ajv2020;
	private readonly compiled = new Map<Schema, ValidateFunction>();

	/** `adapt` turns a schema of the document into the one that is applied. */
	constructor(
		document: ContractDocument,
		private readonly adapt: (schema: Schema) => Schema = (schema) => schema,
		options: Options = {},
	) {
		// A mistyped keyword is an error. Validating the schemas themselves takes longer than all the
		// rest, so a separate test does it.
		this.ajv = new Ajv2020({
			allErrors: true,
			strictTypes: false,
			strictRequired: false,
			validateSchema: false,
			formats: FORMATS,
			...options,
		});
		// Keywords at the top of an OpenAPI document. No value is compared with them.
		this.ajv.addVocabulary(Object.keys(document));
		this.ajv.addSchema(document, DOCUMENT_ID);
	}

	departures(schema: Schema, value: unknown, name: string): string[] {
		const check = this.compiled.get(schema) ?? this.ajv.compile(this.adapt(schema));
		this.compiled.set(schema, check);
		return check(value) ? [] : [this.ajv.errorsText(check.errors, { dataVar: name })];
	}
}
