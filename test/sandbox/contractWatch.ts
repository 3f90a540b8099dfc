import { Contract } from './contract';
import { startSandbox } from './index';
import type { OwnAnswer, RecordedRequest, Sandbox } from './types';

let contract: Contract | undefined;

/** Collects everything that departs from docs/api.openapi.yaml. The test reads it at its end. */
export class ContractWatch {
	private readonly departures: string[] = [];

	/** Pass this to a sandbox as its `onOwnAnswer`. */
	readonly answer = (answer: OwnAnswer): void => {
		contract ??= new Contract();
		this.departures.push(...contract.answerDepartures(answer));
	};

	/** For a client that keeps to the rules. A test that breaks them on purpose does not call this. */
	requests({ requests, origin, baseUrl }: Sandbox): void {
		contract ??= new Contract();
		const basePath = baseUrl.slice(origin.length);
		for (const request of requests) {
			if (wasBrokenOff(request)) continue;
			const path = request.path.startsWith(basePath)
				? request.path.slice(basePath.length)
				: request.path;
			this.departures.push(...contract.requestDepartures({ ...request, path }));
		}
	}

	/** What was found since the last time. */
	take(): string[] {
		return this.departures.splice(0);
	}
}

/** The client left before its request was read. */
const wasBrokenOff = ({ status, body }: RecordedRequest): boolean =>
	status === null && body === undefined;

/**
 * Call this once at the top of a test file. The `startSandbox` that it returns compares all answers with the
 * documented API. A test fails if an answer departs from it.
 */
export function sandboxUnderContract(): typeof startSandbox {
	const watch = new ContractWatch();
	afterEach(() => {
		expect(watch.take()).toEqual([]);
	});
	return (options) => startSandbox({ ...options, onOwnAnswer: watch.answer });
}
