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

const refused = (
	name: string,
	fault: FaultRule,
	message: RegExp,
	remedy: RegExp,
	proves = true,
): ApiRefusal => ({ name, fault, message, remedy, proves, httpCode: /\d{3}/.exec(name)![0] });

const own = (status: number, error: string): FaultRule => ({
	kind: 'respond',
	status,
	body: { success: false, error },
});
const allowance = { form: 'allowance', header: false, retryAfter: 90 } as const;
const gatewayJson: FaultRule = { kind: 'respond', status: 403, body: { message: 'Forbidden' } };

/** For runs with Max Retry Wait 0, so that nothing is waited for. */
export const apiRefusals: ApiRefusal[] = [
	refused('401', { kind: 'unauthorized' }, /token is missing or not valid/, /into the credential/),
	refused('403', { kind: 'forbidden' }, /not enabled for your account/, /Enable it/),
	refused('404', own(404, 'Not there'), /found nothing.*\(Not there\)/, /Base URL/),
	refused('410', own(410, 'Removed'), /no longer offers/, /Update this node/),
	refused('422, locked', { kind: 'accountLocked' }, /account is locked/, /dashboard/),
	refused('422, daily limit', { kind: 'dailyLimit' }, /daily call limit.*reached/, /tomorrow/),
	refused('429', { kind: 'rateLimited', retryAfter: 90 }, /limit is reached/, /90 seconds/),
	refused('429, allowance', { kind: 'rateLimited', ...allowance }, /is used up/, /90 seconds/),
	refused('503', { kind: 'unavailable' }, /temporarily unavailable/, /again/),
	refused('503, allowance', { kind: 'unavailable', form: 'allowance' }, /allowance/, /again/),
	refused('a page (502)', { kind: 'gateway' }, /web page.*status 502/, /Base URL/, false),
	refused('nothing (504)', { kind: 'empty', status: 504 }, /empty body.*504/, /Base URL/, false),
	refused('a gateway’s JSON (403)', gatewayJson, /other data/, /Base URL/, false),
];
