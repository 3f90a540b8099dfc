import type { INode } from 'n8n-workflow';
import { markOf, OPENED, personKey, usedKey } from '../../../nodes/OutboundCalls/domain/memoryKeys';

/** As the node enters a key into n8n's list (execution/keyStore.ts). */
const inList = (workflow: string, key: string): string => `${workflow} ${key}`;

/** What dry runs of these nodes leave behind, without which a live run calls nobody. */
export const keysOfDryRun = (workflow: string, nodes: readonly INode[]): string[] =>
	[
		OPENED,
		markOf(undefined),
		...nodes.map(({ id }) => usedKey(`${workflow} ${id}`, undefined)),
	].map((key) => inList(workflow, key));

/** By which a call to a number is remembered. */
export const keyOfCall = (workflow: string, number: string): string =>
	inList(workflow, personKey(number));
