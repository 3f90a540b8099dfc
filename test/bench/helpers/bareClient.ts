import { request } from 'node:http';
import { AGENT, numberOf } from './rows';

/** How long a client that does nothing else takes for one request of ten calls, in milliseconds. No run can be faster. */
export async function bareRequestMs(
	{ baseUrl, token }: { baseUrl: string; token: string },
	requests: number,
): Promise<number> {
	// The first ones open the connection and have the sandbox's code compiled.
	for (let warmUp = 0; warmUp < 20; warmUp++) await place(baseUrl, token, warmUp);
	const started = performance.now();
	for (let index = 20; index < 20 + requests; index++) await place(baseUrl, token, index);
	return (performance.now() - started) / requests;
}

async function place(baseUrl: string, token: string, index: number): Promise<void> {
	const destinations = Array.from({ length: 10 }, (_, n) => ({
		phone: numberOf(index * 10 + n),
		prompt_variables: { name: `Person ${n}`, amount: '1' },
	}));
	const body = JSON.stringify({ agent_number: AGENT, destinations });
	const headers = {
		authorization: `Bearer ${token}`,
		'content-type': 'application/json',
		'content-length': Buffer.byteLength(body),
	};
	await new Promise<void>((resolve, reject) => {
		const sent = request(`${baseUrl}/calls/bulk`, { method: 'POST', headers }, (answer) => {
			if (answer.statusCode !== 201)
				reject(new Error(`The sandbox answered ${answer.statusCode}.`));
			answer.resume().on('end', resolve);
		});
		sent.on('error', reject).end(body);
	});
}
