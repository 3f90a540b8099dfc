export { startSandbox } from './server';
export type { FaultKind, FaultRule } from './faults';
export type { Dial, OwnAnswer, RecordedRequest, Route, Sandbox, SandboxOptions } from './types';
export type { UndialedStatus } from './types';
