import {
	type IDataObject,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeOperationError,
} from 'n8n-workflow';
import { MAIN, showWhen } from '../OutboundCalls/fields/common';
import { type Credential, CREDENTIAL } from '../OutboundCalls/execution/execution';
import {
	bodyOf,
	type CallbackRequest,
	hasText,
	isSecret,
	readCallbacks,
	withoutRepeats,
} from './callback';

/**
 * What is used of the host's response; its own type is that of a package that we do not depend on.
 */
interface HttpResponse {
	status(code: number): { json(body: object): unknown };
}

export class OutboundCallsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Outbound Calls Trigger',
		name: 'outboundCallsTrigger',
		version: 1,
		group: ['trigger'],
		icon: { light: 'file:outboundCallsTrigger.svg', dark: 'file:outboundCallsTrigger.dark.svg' },
		subtitle: '={{ $parameter["authentication"] === "none" ? "" : "With Secret" }}',
		// The node panel shows the trigger and the node as one entry, with this description.
		description: 'Have an AI agent call people by phone, and start workflows when a call has ended',
		defaults: { name: 'Outbound Calls Trigger' },
		inputs: [],
		outputs: [MAIN],
		credentials: [
			{
				name: CREDENTIAL,
				required: true,
				displayOptions: { show: { authentication: ['header', 'query'] } },
			},
		],
		eventTriggerDescription:
			'Waiting for a post-call action of your dashboard to send its callback to the Test URL',
		triggerPanel: { header: 'Starts when a call has ended' },
		webhooks: [
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'callback' },
		],
		properties: [
			{
				displayName:
					'Open Webhook URLs above. Enter the Production URL as the target of a post-call action on your dashboard, and put the token %%call_id%% into its body as call_id, so that calls can be told apart.',
				name: 'notice',
				type: 'notice',
				default: '',
			},
			{
				displayName: 'Authentication',
				name: 'authentication',
				type: 'options',
				default: 'header',
				options: [
					{
						name: 'Header',
						value: 'header',
						description: 'The callback must carry the secret in a header',
					},
					{
						name: 'Query Parameter',
						value: 'query',
						description: 'The callback must carry the secret in its address',
					},
					{
						name: 'None',
						value: 'none',
						description: 'Anybody who knows the address can start this workflow',
					},
				],
				description:
					'How to make sure that a callback comes from your dashboard. The secret is the Callback Secret of the credential.',
			},
			{
				displayName:
					'Publishing (n8n 1.x: activating) this workflow needs a Callback Secret in the credential. Without one, the workflow does not start to listen; n8n takes a few seconds to say so.',
				name: 'secretNotice',
				type: 'notice',
				default: '',
				...showWhen({ authentication: ['header', 'query'] }),
			},
			{
				displayName: 'Header Name',
				name: 'headerName',
				type: 'string',
				default: 'X-Callback-Secret',
				description: 'Name of the header that carries the secret',
				...showWhen({ authentication: ['header'] }),
			},
			{
				displayName: 'Query Parameter Name',
				name: 'queryParameter',
				type: 'string',
				default: 'secret',
				description: 'Name of the query parameter that carries the secret',
				...showWhen({ authentication: ['query'] }),
			},
			{
				displayName: 'Ignore Repeats',
				name: 'ignoreRepeats',
				type: 'boolean',
				default: true,
				description:
					'Whether to start the workflow only once if the same callback is delivered again',
			},
		],
	};

	webhookMethods = {
		default: {
			// Asked when the workflow is activated, and when the editor begins to listen.
			async checkExists(this: IHookFunctions): Promise<boolean> {
				if (this.getNodeParameter('authentication', 'header') === 'none') return true;
				const { callbackSecret } = await this.getCredentials<Partial<Credential>>(CREDENTIAL);
				if (hasText(callbackSecret)) return true;
				// The remedy stands in the message, because the host shows nothing else here (n8n
				// behavior).
				throw new NodeOperationError(
					this.getNode(),
					'The credential has no Callback Secret, so nobody could start this workflow. Enter a secret of your choice in the credential, and have the post-call action send it. Or set Authentication to None.',
				);
			},
			// The API has no way to register an address: it is entered on the dashboard, once, by
			// hand.
			create: async () => await Promise.resolve(true),
			delete: async () => await Promise.resolve(true),
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const authentication = this.getNodeParameter('authentication', 'header') as string;
		const query = { ...(this.getQueryData() as IDataObject) };
		const response = this.getResponseObject() as HttpResponse;
		if (authentication !== 'none') {
			const { callbackSecret } = await this.getCredentials<Partial<Credential>>(CREDENTIAL);
			const name = this.getNodeParameter(
				authentication === 'header' ? 'headerName' : 'queryParameter',
			) as string;
			const given =
				authentication === 'header' ? this.getHeaderData()[name.toLowerCase()] : query[name];
			// The secret does not belong in the execution's record.
			if (authentication === 'query') Reflect.deleteProperty(query, name);
			if (!isSecret(given, callbackSecret)) {
				response
					.status(401)
					.json({ success: false, reason: 'The callback secret is missing or not right.' });
				return { noWebhookResponse: true };
			}
		}
		const callbacks = readCallbacks(bodyOf(this.getRequestObject() as CallbackRequest), query);
		// A test that is sent twice from the dashboard is meant to start twice.
		const ignoresRepeats =
			this.getMode() !== 'manual' && (this.getNodeParameter('ignoreRepeats', true) as boolean);
		const remembered = {
			staticData: this.getWorkflowStaticData('node'),
			place: `${this.getWorkflow().id} ${this.getNode().id}`,
		};
		const fresh = ignoresRepeats ? withoutRepeats(remembered, callbacks) : callbacks;
		const items = fresh.map(({ item }) => ({ json: item }));
		if (items.length === 0) return { webhookResponse: { success: true, repeated: true } };
		// Answered here, not by the host: it would start the workflow before it saves what was
		// remembered above.
		response.status(200).json({ success: true });
		return { noWebhookResponse: true, workflowData: [items] };
	}
}
