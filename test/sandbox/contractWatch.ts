import { Contract } from './contract';
import { startSandbox } from './index';
import type { OwnAnswer, RecordedRequest, Sandbox } from './types';

let contract: Contract | undefined;

/** Gathers what departs from docs/api.openapi.yaml, for a test to find at its end. */
export class ContractWatch {
	private readonly departures: string[] = [];

	/** To be given to a sandbox as its `onOwnAnswer`. */
	readonly answer = (answer: OwnAnswer): void => {
		contract ??= new Contract();
		this.departures.push(...contract.answerDepartures(answer));
	};

	/** For a client that keeps to the rules; a test that breaks them to see the refusal leaves this out. */
	requests({ requests, origin, baseUrl }: Sandbox): void {
		contract ??= new Contract();
		const basePath = baseUrl.slice(origin.length);
		for (const request of requests) {
			if (wasBrokenOff(request)) continue;
			const path = request.path.startsWith(basePath) ? request.path.slice(basePath.length) : request.path;
			this.departures.push(...contract.requestDepartures({ ...request, path }));
		}
	}

	/** What was found since the last time. */
	take(): string[] {
		return this.departures.splice(0);
	}
}

/** The client left before its request was read. */
const wasBrokenOff = ({ status, body }: RecordedRequest): boolean => status === null && body === undefined;

/**
 * Call once at the top of a test file. Gives a `startSandbox` whose answers are compared with the documented API;
 * the test in which one departs from it fails.
 */
export function sandboxUnderContract(): typeof startSandbox {
	const watch = new ContractWatch();
	afterEach(() => {
		expect(watch.take()).toEqual([]);
	});
	return (options) => startSandbox({ ...options, onOwnAnswer: watch.answer });
}
