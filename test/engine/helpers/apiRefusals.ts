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

/** One of each kind, for runs with Max Retry Wait 0; all texts are in `unit/http/refusals.json`. */
export const apiRefusals: ApiRefusal[] = [
	refused('401', { kind: 'unauthorized' }, /token is missing or not valid/, /into the credential/),
	refused('429', { kind: 'rateLimited', retryAfter: 90 }, /limit is reached/, /90 seconds/),
	refused('a page (502)', { kind: 'gateway' }, /web page.*status 502/, /Base URL/, false),
];
