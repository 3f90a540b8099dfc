export { startSandbox } from './server';
export type { FaultKind, FaultRule } from './faults';
export type { Dial, OwnAnswer, RecordedRequest, Route, Sandbox, SandboxOptions } from './types';
export { PAGES_MODES, RESULTS_MODES } from './mangled';
export { UNDIALED } from './types';
