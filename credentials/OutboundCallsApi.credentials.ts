import type { Icon, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';
import type { Problem } from '../nodes/OutboundCalls/domain/values';
import { checkBaseUrl, checkToken, isBelow } from '../nodes/OutboundCalls/http/credential';

/** The host shows the message alone. */
const refusal = ({ message, remedy }: Problem) => new Error(`${message}. ${remedy}`);

/**
 * The API has no "who am I": reading a batch that cannot exist is the cheapest question with the
 * token.
 */
const IMPOSSIBLE_BATCH = '/batches/00000000-0000-0000-0000-000000000000';

export class OutboundCallsApi implements ICredentialType {
	name = 'outboundCallsApi';

	displayName = 'Outbound Calls API';

	icon: Icon = {
		light: 'file:../nodes/OutboundCalls/outboundCalls.svg',
		dark: 'file:../nodes/OutboundCalls/outboundCalls.dark.svg',
	};

	documentationUrl =
		'https://github.com/outbound-calls/n8n-nodes-outbound-calls/blob/main/README.md#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://example.com/api/v1/outbound',
			description: 'Address of your Outbound Calls API, which ends in /api/v1/outbound',
		},
		{
			displayName: 'API Token',
			name: 'apiToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'From the outbound calls page of your dashboard, which shows it only once',
		},
		{
			displayName: 'Callback Secret',
			name: 'callbackSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			hint: 'Only for the Outbound Calls Trigger. Leave it empty otherwise.',
			description: 'A secret of your choice that the post-call action must send',
		},
		// n8n 2 adds these two by itself, with All as the default, where a credential does not have
		// them.
		{
			displayName: 'Allowed HTTP Request Domains',
			name: 'allowedHttpRequestDomains',
			type: 'options',
			default: 'none',
			options: [
				{
					name: 'All',
					value: 'all',
					description: 'Anybody who may use the credential can send the token to any server',
				},
				{
					name: 'None',
					value: 'none',
					description: 'Only the nodes of Outbound Calls use this credential',
				},
				{
					name: 'Specific Domains',
					value: 'domains',
					description: 'Other nodes may send it only to the hosts below',
				},
			],
			description:
				'Where the HTTP Request and GraphQL nodes may send this credential. Older versions of n8n ignore it.',
		},
		{
			displayName: 'Allowed Domains',
			name: 'allowedDomains',
			type: 'string',
			default: '',
			placeholder: 'e.g. calls.example.com',
			description: 'The host of your Base URL. Separate several hosts with commas.',
			displayOptions: { show: { allowedHttpRequestDomains: ['domains'] } },
		},
	];

	/**
	 * A function: the declared form would have n8n evaluate an expression for each request. Also
	 * the credential's test sends nothing where the nodes would not.
	 */
	authenticate: ICredentialType['authenticate'] = async ({ baseUrl, apiToken }, options) => {
		const base = checkBaseUrl(baseUrl);
		const token = checkToken(apiToken);
		if (!base.ok) throw refusal(base.error);
		if (!token.ok) throw refusal(token.error);
		// Whatever else may use the credential: the token goes to its own API only.
		// The HTTP Request node says uri (n8n behavior).
		const { baseURL = '', url, uri } = options as typeof options & { uri?: string };
		const addresses = [url, uri].filter((address) => address !== undefined);
		const isOwn = (address: string) =>
			isBelow(base.value, /^[a-z]+:/i.test(address) ? address : `${baseURL}${address}`);
		if (!addresses.every(isOwn)) return options;
		return await Promise.resolve({
			...options,
			headers: { ...options.headers, Authorization: `Bearer ${token.value}` },
		});
	};

	/**
	 * The API's own 404 means that the token works. The statuses in `except` fail the test at once.
	 */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
			url: IMPOSSIBLE_BATCH,
			headers: { Accept: 'application/json' },
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: {
				ignore: true,
				except: [400, 401, 402, 403, 405, 408, 429, 500, 501, 502, 503, 504],
			},
		},
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The API token was not accepted. Copy it from the outbound calls page of your dashboard; rotating it invalidates the earlier one.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message:
						'The token works, but outbound calling is not enabled for your account. Have it enabled on your dashboard.',
				},
			},
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'success',
					value: undefined,
					message:
						'Something answers at this address, but it is not the Outbound Calls API. The Base URL ends in /api/v1/outbound.',
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}
