import type { NodeConnectionType } from 'n8n-workflow';

/** n8n 1.82 does not export NodeConnectionTypes yet. */
export const MAIN: NodeConnectionType = 'main';
