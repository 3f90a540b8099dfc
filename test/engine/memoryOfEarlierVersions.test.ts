import type { ICheckProcessedContextData, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { bulk, contacts, phone } from './helpers/workflows';

/**
 * What a version has written into n8n's database, word for word. It stands there for years: a line that is changed here
 * is a person who is called again after an update. New versions are added, and nothing is taken out.
 */

const bench = workbench();
const store = storeForEach();

const WORKFLOW = 'workflow';

/** As the named version left it behind. */
async function left(...keys: string[]): Promise<void> {
	store.isOpen = false;
	const data = { workflow: { id: WORKFLOW } } as ICheckProcessedContextData;
	await store.checkProcessedAndRecord(
		keys.map((key) => `${WORKFLOW} ${key}`),
		'workflow',
		data,
		{ mode: 'entries' },
	);
}

const statuses = async (parameters: INodeParameters): Promise<unknown[]> =>
	(await bench.run(parameters, contacts(2), { workflowId: WORKFLOW })).json.map(
		({ status }) => status,
	);

describe('G8 an update of the package keeps', () => {
	const remembering = (options: INodeParameters = {}): INodeParameters =>
		bulk({ calledBefore: 'skip', options });
	const limited = (options: INodeParameters): INodeParameters => bulk({ options });

	it.each<[string, string[], INodeParameters, string]>([
		[
			'who was called, by their numbers (1.0.0)',
			['opened', 'mark ', `person ${phone(0)}`],
			remembering(),
			'already_called',
		],
		[
			'who was called, by a column (1.0.0)',
			[
				'opened',
				'mark FuP+Op0jWqQmp5M1',
				'key Person 0',
				`under 22 ${phone(0)}`,
				`any ${phone(0)}`,
			],
			remembering({ callOnceKey: '={{ $json.name }}' }),
			'already_called',
		],
		[
			'who was reached (1.0.0)',
			['opened', 'mark ', `count reached ${phone(0)} 1`],
			limited({ stopWhenReached: true }),
			'limit_reached',
		],
		[
			'how often somebody was called (1.0.0)',
			[
				'opened',
				'mark ',
				`count calls per ever ${phone(0)} 1`,
				`count calls per ever ${phone(0)} 2`,
			],
			limited({ callsPerPerson: { limit: [{ calls: 2, per: 'ever' }] } }),
			'limit_reached',
		],
	])('%s', async (_, keys, parameters, status) => {
		await left(...keys);
		expect(await statuses(parameters)).toEqual([status, 'initiated']);
		expect(bench.dialed).toEqual([phone(1)]);
	});

	it('that a dry run was made (1.0.0), and nothing else opens Live', async () => {
		await left('opened', 'mark of something else');
		expect(
			(await bench.run(remembering(), contacts(2), { workflowId: WORKFLOW })).error?.message,
		).toMatch(/dry run/i);
		expect(bench.dialed).toEqual([]);
	});
});
