/** What a request asks for. Only placements must never be repeated blindly. */
export type Purpose = 'bulkCall' | 'placeCall' | 'cancel' | 'read';

/** One request to the API, as plain values. */
export interface ApiRequest {
	purpose: Purpose;
	method: 'GET' | 'POST';
	/** Path below the base URL; the caller has checked and encoded the ids in it. */
	path: string;
	query?: Record<string, string | number>;
	body?: object;
	/** For the whole request, in milliseconds. */
	timeoutMs: number;
}

/** What happened to one request, as plain values. */
export type Exchange =
	| { kind: 'answer'; status: number; body: unknown; retryAfter?: string }
	/** The connection never opened, so the API cannot have seen the request. */
	| { kind: 'notOpened'; code: string }
	/** The request left and no whole answer came back: whether it was carried out is not known. */
	| { kind: 'noAnswer'; code: string };

/** Sends a request. Never rejects for what the network or the API does. */
export type Send = (request: ApiRequest) => Promise<Exchange>;
