export { startSandbox } from './server';
export type { FaultKind, FaultRule, ResultsMode } from './faults';
export type {
	Agent,
	Callback,
	DestinationOutcome,
	Dial,
	ExistingBatch,
	OwnAnswer,
	RateLimit,
	RecordedRequest,
	Route,
	Sandbox,
	SandboxOptions,
	Settings,
	UndialedStatus,
} from './types';
