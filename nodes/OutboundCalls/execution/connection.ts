import type { NodeConnectionType } from 'n8n-workflow';

/** The credential's name, which saved workflows hold. */
export const CREDENTIAL = 'outboundCallsApi';

/** n8n 1.82 does not export NodeConnectionTypes yet. */
export const MAIN: NodeConnectionType = 'main';
