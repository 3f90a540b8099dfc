import { AGENT } from '../engine/helpers/account';
import type { Sandbox } from './index';

export interface Answered {
	status: number;
	headers: Headers;
	/** parsed when the text is JSON */
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever came over the wire
	body: any;
}

/** A plain HTTP client for the sandbox, so that its tests see exactly what went over the wire. */
export class Client {
	constructor(private readonly sandbox: Sandbox) {}

	async send(
		method: string,
		path: string,
		body?: unknown,
		init: RequestInit = {},
	): Promise<Answered> {
		const answer = await fetch(
			path.startsWith('/sandbox') ? this.sandbox.origin + path : this.sandbox.baseUrl + path,
			{
				method,
				redirect: 'manual',
				body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
				...init,
				headers: {
					authorization: `Bearer ${this.sandbox.token}`,
					...(body === undefined ? {} : { 'content-type': 'application/json' }),
					...(init.headers as Record<string, string> | undefined),
				},
			},
		);
		const text = await answer.text();
		return { status: answer.status, headers: answer.headers, body: parsed(text) };
	}

	call(destination: string, more: object = {}): Promise<Answered> {
		return this.send('POST', '/calls', { destination, agent_number: AGENT, ...more });
	}

	bulk(destinations: unknown, more: object = {}): Promise<Answered> {
		return this.send('POST', '/calls/bulk', { destinations, agent_number: AGENT, ...more });
	}

	batch(id: string, query = ''): Promise<Answered> {
		return this.send('GET', `/batches/${id}${query}`);
	}

	cancel(id: number | string): Promise<Answered> {
		return this.send('POST', `/consents/${id}/cancel`);
	}
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
