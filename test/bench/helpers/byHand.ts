import { node } from '../../workflowNode';
import { AGENT } from './rows';
import { CALLS, code, inARow, ROWS, type MeasuredWorkflow } from './workflows';

/** What a user would build without this node, of n8n's own nodes with their default settings. */
interface Api {
	baseUrl: string;
	token: string;
}

const post = ({ baseUrl, token }: Api, path: string, jsonBody: string) =>
	node(CALLS, 'n8n-nodes-base.httpRequest', 4.2, {
		method: 'POST',
		url: `${baseUrl}${path}`,
		sendHeaders: true,
		headerParameters: { parameters: [{ name: 'Authorization', value: `Bearer ${token}` }] },
		sendBody: true,
		specifyBody: 'json',
		jsonBody,
		options: {},
	});

const GROUPS = `
const rows = $input.all();
const groups = [];
for (let first = 0; first < rows.length; first += 10) {
	const destinations = rows.slice(first, first + 10).map(({ json: { phone, name, amount } }) => ({
		phone,
		prompt_variables: { name, amount: String(amount) },
	}));
	groups.push({ json: { agent_number: '${AGENT}', destinations } });
}
return groups;`;

/** Each row with its outcome beside its own columns, as this node gives it out. */
const OUTCOMES = `
const outcomes = $input.all().flatMap(({ json: { batch_id, results } }) =>
	results.map((result) => ({ ...result, batch_id })),
);
return $('${ROWS}').all().map(({ json }, n) => ({ json: { ...json, ...outcomes[n] } }));`;

/** The requests that this node would send, all at once. */
export const inGroups = (api: Api): MeasuredWorkflow =>
	inARow(
		code('Groups', GROUPS),
		post(api, '/calls/bulk', '={{ $json }}'),
		code('Outcomes', OUTCOMES),
	);

/** A request for each row, all at once. */
export const oneByOne = (api: Api): MeasuredWorkflow =>
	inARow(
		post(
			api,
			'/calls',
			`={{ ({ destination: $json.phone, agent_number: '${AGENT}', prompt_variables: { name: $json.name, amount: String($json.amount) } }) }}`,
		),
	);
