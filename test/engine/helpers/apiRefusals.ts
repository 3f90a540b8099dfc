import type { FaultRule } from '../../sandbox';

/** What the API or a gateway answers when it does not carry out a request, and what a user then reads. */
export interface ApiRefusal {
	name: string;
	fault: FaultRule;
	httpCode: string;
	message: RegExp;
	remedy: RegExp;
	/** Whether the answer proves that a placement placed nothing. */
	proves: boolean;
}

const own = (status: number, error: string): FaultRule => ({
	kind: 'respond',
	status,
	body: { success: false, error },
});

/** For runs with Max Retry Wait 0, so that nothing is waited for. */
export const apiRefusals: ApiRefusal[] = [
	{
		name: '401',
		fault: { kind: 'unauthorized' },
		httpCode: '401',
		message: /token is missing or not valid/,
		remedy: /into the credential/,
		proves: true,
	},
	{
		name: '403',
		fault: { kind: 'forbidden' },
		httpCode: '403',
		message: /not enabled for your account/,
		remedy: /Enable it/,
		proves: true,
	},
	{
		name: '404',
		fault: own(404, 'Not there'),
		httpCode: '404',
		message: /found nothing.*\(Not there\)/,
		remedy: /Base URL/,
		proves: true,
	},
	{
		name: '410',
		fault: own(410, 'Removed'),
		httpCode: '410',
		message: /no longer offers/,
		remedy: /Update this node/,
		proves: true,
	},
	{
		name: '422 for a locked account',
		fault: { kind: 'accountLocked' },
		httpCode: '422',
		message: /account is locked/,
		remedy: /dashboard/,
		proves: true,
	},
	{
		name: '422 for the daily limit',
		fault: { kind: 'dailyLimit' },
		httpCode: '422',
		message: /daily call limit.*reached/,
		remedy: /tomorrow/,
		proves: true,
	},
	{
		name: '429',
		fault: { kind: 'rateLimited', retryAfter: 90 },
		httpCode: '429',
		message: /outbound calling limit is reached/,
		remedy: /90 seconds/,
		proves: true,
	},
	{
		name: '429 of the allowance',
		fault: { kind: 'rateLimited', form: 'allowance', retryAfter: 90, header: false },
		httpCode: '429',
		message: /request allowance .*is used up/,
		remedy: /90 seconds/,
		proves: true,
	},
	{
		name: '503',
		fault: { kind: 'unavailable' },
		httpCode: '503',
		message: /temporarily unavailable/,
		remedy: /again/,
		proves: true,
	},
	{
		name: '503 of the allowance',
		fault: { kind: 'unavailable', form: 'allowance' },
		httpCode: '503',
		message: /could not check your account’s request allowance/,
		remedy: /again/,
		proves: true,
	},
	{
		name: 'a gateway’s page',
		fault: { kind: 'gateway', status: 502 },
		httpCode: '502',
		message: /web page.*status 502/,
		remedy: /Base URL/,
		proves: false,
	},
	{
		name: 'an empty body',
		fault: { kind: 'empty', status: 504 },
		httpCode: '504',
		message: /empty body.*status 504/,
		remedy: /Base URL/,
		proves: false,
	},
	{
		name: 'a gateway’s JSON',
		fault: { kind: 'respond', status: 403, body: { message: 'Forbidden' } },
		httpCode: '403',
		message: /other data/,
		remedy: /Base URL/,
		proves: false,
	},
];
