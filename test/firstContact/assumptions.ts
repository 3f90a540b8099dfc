/** What the node takes for granted where the API's documentation is silent or contradicts itself. `docs/maintainers/api.md` says of each what is changed if it does not hold. */
export const ASSUMPTIONS = {
	token: 'A token that works gets the API’s own 404 for a batch that does not exist',
	'wrong-token': 'A token that does not work gets the API’s own 401',
	'unknown-agent': 'An agent that does not exist is refused with 404, and the text says so',
	validation: 'A request whose only number is invalid is refused with 400',
	'validation-order': 'Agent, numbers and prompt variables may be checked in any order',
	'single-answer': 'A placed single call is answered with a 2xx status and a call_id',
	'single-ids': 'That answer also holds batch_id and consent_id',
	'external-call-id': 'It holds the external_call_id that was sent, at its top level',
	'bulk-answer': 'A bulk answer holds batch_id, and consent_id for each result',
	'bulk-metadata': 'A bulk request has no place for external_call_id',
	answered: 'A call that was answered gets a conversation_id',
	unanswered: 'A call that nobody answered gets an auto_call_error, and no conversation_id',
	cancelled: 'A call that was cancelled in time has the status cancelled from then on',
	'already-placed':
		'The refusal to cancel a placed call is known by its text, whatever its status code',
	statuses: 'No status of a call record but pending and cancelled is known, so none is relied on',
	'consent-method': 'What consent_method says is not known, so it is passed on as it is',
	summary: 'What approved and called count is not known, so they are passed on as they are',
	'page-parameter': 'The page parameter is called page',
	limits: 'A limit is answered with 422, 429 or 503, or with rate_limited for single numbers',
	callback:
		'The post-call callback is a POST that holds call_id, and external_call_id where one was sent',
} as const;

export type AssumptionId = keyof typeof ASSUMPTIONS;

/** `seen`: nothing is assumed, and this is what there was. */
export type Verdict = 'holds' | 'does not hold' | 'seen' | 'not seen';

/** What was found of each assumption; the first contact fills it in. */
export class Findings {
	private readonly found = new Map<AssumptionId, { verdict: Verdict; seen: string }>();

	note(id: AssumptionId, verdict: Verdict | boolean, seen: string): void {
		const yesOrNo = verdict ? 'holds' : 'does not hold';
		this.found.set(id, { verdict: typeof verdict === 'boolean' ? yesOrNo : verdict, seen });
	}

	of(id: AssumptionId): { verdict: Verdict; seen: string } {
		const none = 'The step was left out, or did not come so far.';
		return this.found.get(id) ?? { verdict: 'not seen', seen: none };
	}
}
