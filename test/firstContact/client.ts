import type { Exchange, Purpose } from '../../nodes/OutboundCalls/domain/api/exchange';
import {
	type Classification,
	classifyExchange,
} from '../../nodes/OutboundCalls/domain/api/sendPolicy';
import { maskedTexts } from '../../nodes/OutboundCalls/http/maskedTexts';
import { isNotOpened, networkCode } from '../../nodes/OutboundCalls/http/networkErrors';
import type { Setup } from './setup';
import { parsed } from '../../nodes/OutboundCalls/domain/values/untrustedValues';

const TIMEOUT_MS = 60_000;

/** "0 instead of +": no number in international format, so "on any validation failure no call is placed". */
const NO_NUMBER = '0';

interface Request {
	purpose: Purpose;
	method: 'GET' | 'POST';
	path: string;
	body?: object;
	token?: string;
}

/** A request and what became of it. `about`: what it asked for, in words. */
export interface Sent {
	request: Request;
	about: string;
	exchange: Exchange;
	proves: Classification;
}

export interface Placement {
	/** There is no other way to name whom a request would call. */
	whom: 'own phone' | 'no number';
	/** Instead of the person's own agent. */
	agentNumber?: string;
	withoutVariables?: boolean;
	externalCallId?: string;
}

/** The way to the API. It sends each request once, and dials nothing but the own phone. */
export class Client {
	readonly sent: Sent[] = [];
	/** Takes the token, the numbers and the server's address out of an answer. */
	private readonly withoutSecrets: (body: unknown) => unknown;

	constructor(private readonly setup: Setup) {
		const { token, ownPhone, agentNumber, callerNumber = '', baseUrl } = setup;
		const numbers = [ownPhone, agentNumber, callerNumber];
		const digits = numbers.map((number) => number.replace(/^\+/, ''));
		const { host } = new URL(baseUrl);
		this.withoutSecrets = maskedTexts(token, baseUrl, host, ...numbers, ...digits);
	}

	read(batchId: string, about: string, { query = '', token }: { query?: string; token?: string }) {
		return this.send(
			{ purpose: 'read', method: 'GET', path: `/batches/${batchId}${query}`, token },
			about,
		);
	}

	cancel(callRecordId: string, about: string) {
		const path = `/consents/${callRecordId}/cancel`;
		return this.send({ purpose: 'cancel', method: 'POST', path }, about);
	}

	place(purpose: 'placeCall' | 'bulkCall', placement: Placement, about: string) {
		const { whom, agentNumber, withoutVariables, externalCallId } = placement;
		const { ownPhone, callerNumber, variables, ...own } = this.setup;
		const number = whom === 'own phone' ? ownPhone : NO_NUMBER;
		const hasVariables = !withoutVariables && Object.keys(variables).length > 0;
		const body = {
			...(purpose === 'placeCall' ? { destination: number } : { destinations: [number] }),
			agent_number: agentNumber ?? own.agentNumber,
			caller_number: callerNumber,
			prompt_variables: hasVariables ? variables : undefined,
			metadata: externalCallId === undefined ? undefined : { external_call_id: externalCallId },
		};
		const path = purpose === 'placeCall' ? '/calls' : '/calls/bulk';
		return this.send({ purpose, method: 'POST', path, body }, about);
	}

	private async send(request: Request, about: string): Promise<Sent> {
		const exchange = await this.exchange(request);
		const sent = { request, about, exchange, proves: classifyExchange(request.purpose, exchange) };
		this.sent.push(sent);
		return sent;
	}

	private async exchange({ method, path, body, token }: Request): Promise<Exchange> {
		try {
			const answer = await fetch(`${this.setup.baseUrl}${path}`, {
				method,
				headers: {
					authorization: `Bearer ${token ?? this.setup.token}`,
					accept: 'application/json',
					...(body ? { 'content-type': 'application/json' } : {}),
				},
				body: body && JSON.stringify(body),
				redirect: 'manual',
				signal: AbortSignal.timeout(TIMEOUT_MS),
			});
			return {
				kind: 'answer',
				status: answer.status,
				body: this.withoutSecrets(parsed(await answer.text())),
				retryAfter: answer.headers.get('retry-after') ?? undefined,
			};
		} catch (thrown) {
			return { kind: isNotOpened(thrown) ? 'notOpened' : 'noAnswer', code: networkCode(thrown) };
		}
	}
}
