import { markOf } from '../../../nodes/OutboundCalls/memory/liveGate';

/** What a dry run with the default setting leaves in n8n's list, without which a live run calls nobody. */
export const keysOfDryRun = (workflow: string): string[] => [`${workflow} ${markOf('skip', '')}`];
