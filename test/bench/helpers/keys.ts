import { markOf, OPENED, personKey } from '../../../nodes/OutboundCalls/domain/memoryKeys';

/** As the node enters a key into n8n's list (execution/keyStore.ts). */
const inList = (workflow: string, key: string): string => `${workflow} ${key}`;

/** What a dry run leaves behind, without which a live run calls nobody. */
export const keysOfDryRun = (workflow: string): string[] => [OPENED, markOf(undefined)].map((key) => inList(workflow, key));

/** By which a call to a number is remembered. */
export const keyOfCall = (workflow: string, number: string): string => inList(workflow, personKey(number));
