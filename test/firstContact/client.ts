import type { Exchange, Purpose } from '../../nodes/OutboundCalls/domain/exchange';
import { type Classification, classifyExchange } from '../../nodes/OutboundCalls/domain/sendPolicy';
import { parsed } from '../../nodes/OutboundCalls/domain/values';
import { maskedTexts } from '../../nodes/OutboundCalls/http/client';
import { isNotOpened, networkCode } from '../../nodes/OutboundCalls/http/networkErrors';
import type { Setup } from './setup';

const TIMEOUT_MS = 60_000;

/** "0 instead of +": no number in international format, so "on any validation failure no call is placed". */
const NO_NUMBER = '0';

/** There is no other way to name whom a request would call. */
export type Whom = 'own phone' | 'no number';

export interface Request {
	purpose: Purpose;
	method: 'GET' | 'POST';
	path: string;
	query?: Record<string, string>;
	body?: object;
	token?: string;
}

/** A request and what became of it, for the report. */
export interface Sent {
	request: Request;
	/** What it asked for, in words. */
	about: string;
	exchange: Exchange;
	proves: Classification;
}

/** What a placement may have beside the number. */
export interface Placement {
	whom: Whom;
	/** Instead of the person's own agent. */
	agentNumber?: string;
	/** Without the person's prompt variables. */
	withoutVariables?: boolean;
	externalCallId?: string;
}

/** The way to the API. It sends each request once, and dials nothing but the own phone. */
export class Client {
	readonly sent: Sent[] = [];
	/** Takes the token, the numbers and the server's address out of an answer, in whatever form they stand there. */
	private readonly withoutSecrets: (body: unknown) => unknown;

	constructor(private readonly setup: Setup) {
		const { token, ownPhone, agentNumber, callerNumber = '', baseUrl } = setup;
		const numbers = [ownPhone, agentNumber, callerNumber];
		this.withoutSecrets = maskedTexts(
			token,
			baseUrl,
			new URL(baseUrl).host,
			...numbers,
			...numbers.map((number) => number.replace(/^\+/, '')),
		);
	}

	read(batchId: string, about: string, more: Pick<Request, 'query' | 'token'> = {}): Promise<Sent> {
		return this.send(
			{ purpose: 'read', method: 'GET', path: `/batches/${encodeURIComponent(batchId)}`, ...more },
			about,
		);
	}

	cancel(callRecordId: string, about: string): Promise<Sent> {
		return this.send(
			{
				purpose: 'cancel',
				method: 'POST',
				path: `/consents/${encodeURIComponent(callRecordId)}/cancel`,
			},
			about,
		);
	}

	placeCall(placement: Placement, about: string): Promise<Sent> {
		const body = { destination: this.numberOf(placement.whom), ...this.fieldsOf(placement) };
		return this.send({ purpose: 'placeCall', method: 'POST', path: '/calls', body }, about);
	}

	bulkCall(placement: Placement, about: string): Promise<Sent> {
		const body = { destinations: [this.numberOf(placement.whom)], ...this.fieldsOf(placement) };
		return this.send({ purpose: 'bulkCall', method: 'POST', path: '/calls/bulk', body }, about);
	}

	private numberOf(whom: Whom): string {
		return whom === 'own phone' ? this.setup.ownPhone : NO_NUMBER;
	}

	private fieldsOf({
		agentNumber = this.setup.agentNumber,
		withoutVariables,
		externalCallId,
	}: Placement): object {
		const { callerNumber, variables } = this.setup;
		return {
			agent_number: agentNumber,
			...(callerNumber === undefined ? {} : { caller_number: callerNumber }),
			...(withoutVariables || Object.keys(variables).length === 0
				? {}
				: { prompt_variables: variables }),
			...(externalCallId === undefined ? {} : { metadata: { external_call_id: externalCallId } }),
		};
	}

	private async send(request: Request, about: string): Promise<Sent> {
		const exchange = await this.exchange(request);
		const sent = { request, about, exchange, proves: classifyExchange(request.purpose, exchange) };
		this.sent.push(sent);
		return sent;
	}

	private async exchange({
		method,
		path,
		query,
		body,
		token = this.setup.token,
	}: Request): Promise<Exchange> {
		const search = query ? `?${new URLSearchParams(query).toString()}` : '';
		try {
			const answer = await fetch(`${this.setup.baseUrl}${path}${search}`, {
				method,
				headers: {
					authorization: `Bearer ${token}`,
					accept: 'application/json',
					...(body ? { 'content-type': 'application/json' } : {}),
				},
				...(body ? { body: JSON.stringify(body) } : {}),
				redirect: 'manual',
				signal: AbortSignal.timeout(TIMEOUT_MS),
			});
			const retryAfter = answer.headers.get('retry-after');
			return {
				kind: 'answer',
				status: answer.status,
				body: this.withoutSecrets(parsed(await answer.text())),
				...(retryAfter === null ? {} : { retryAfter }),
			};
		} catch (thrown) {
			return { kind: isNotOpened(thrown) ? 'notOpened' : 'noAnswer', code: networkCode(thrown) };
		}
	}
}
