import { readDocument } from './contractDocument';
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
