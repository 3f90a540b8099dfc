import type { IHttpRequestOptions, INodeType } from 'n8n-workflow';
import { forEachConcurrent } from '../../../nodes/OutboundCalls/execution/concurrency';
import { AGENT, type CampaignRow } from './rows';

const REQUEST_SIZE = 10;

/** Sends the requests of a run of Bulk Call through n8n's HTTP helper and does nothing else: the time above the least possible is n8n's own. */
export const sender: INodeType = {
	description: {
		displayName: 'Sender',
		name: 'sender',
		group: ['output'],
		version: 1,
		description: '',
		defaults: { name: 'Sender' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'outboundCallsApi', required: true }],
		properties: [
			{ displayName: 'Parallel Requests', name: 'parallelRequests', type: 'number', default: 5 },
		],
	},
	async execute() {
		const { baseUrl } = await this.getCredentials<{ baseUrl: string }>('outboundCallsApi');
		const input = this.getInputData();
		const requests: IHttpRequestOptions[] = [];
		for (let first = 0; first < input.length; first += REQUEST_SIZE) {
			const destinations = input.slice(first, first + REQUEST_SIZE).map(({ json }) => {
				const { phone, name, amount } = json as CampaignRow;
				return { phone, prompt_variables: { name, amount: String(amount) } };
			});
			requests.push({
				method: 'POST',
				url: `${baseUrl}/calls/bulk`,
				body: { agent_number: AGENT, destinations },
				json: true,
				ignoreHttpStatusErrors: true,
			});
		}
		await forEachConcurrent(
			this.getNodeParameter('parallelRequests', 0) as number,
			requests,
			async (request) => {
				await this.helpers.httpRequestWithAuthentication.call(this, 'outboundCallsApi', request);
			},
		);
		return [input];
	},
};
