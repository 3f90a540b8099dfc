import { settingMark } from '../../../nodes/OutboundCalls/memory/keys';

/** What a dry run with the default setting leaves in n8n's list, without which a live run calls nobody. */
export const keysOfDryRun = (workflow: string): string[] => [
	`${workflow} ${settingMark('skip', '')}`,
];
