import { readDocument, type Schema } from './contractDocument';
import { SchemaChecks } from './contractSchemas';

const document = readDocument();
const checks = new SchemaChecks(document, undefined, { validateSchema: true });

test.each(Object.entries(document.components.schemas))(
	'the schema %s is valid and takes its own examples',
	(_, schema) => {
		checks.departures(schema, undefined, 'nothing');
		const { examples = [] } = schema as { examples?: unknown[] };
		const found = examples.flatMap((each) => checks.departures(schema, each, 'example'));
		expect(found).toEqual([]);
	},
);

test('a mistyped keyword would be noticed', () => {
	const mistyped: Schema = { type: 'string', maxLenght: 500 };
	expect(() => new SchemaChecks(document).departures(mistyped, '', 'value')).toThrow(
		'unknown keyword: "maxLenght"',
	);
});
