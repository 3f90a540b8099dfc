import { apiOf, run } from '../../engine/helpers/harness';
import { DurableStore } from '../../engine/helpers/durableStore';
import { DataDeduplicationService } from 'n8n-core';
import { startSandbox, type Dial } from '../../sandbox';
import {
	callsLast,
	exampleCampaign,
	ranIn,
	readContacts,
	runCampaign,
	type Campaign,
	type Ran,
} from './campaign';
import type { Execution } from './client';
import { step, type Progress } from './progress';

/**
 * The campaign in the part of n8n that executes workflows, in this process: the built package, the parameters of the
 * example's node, and real requests to a sandbox. n8n's own nodes are not here, so the rows come from the file itself.
 */
export async function embeddedCampaign(
	progress: Progress,
): Promise<{ campaign: Campaign; journal: readonly Dial[] }> {
	// As a new database: nobody was called, and no dry run was made.
	const store = new DurableStore();
	store.isOpen = false;
	await DataDeduplicationService.init(store);
	const { calling } = await exampleCampaign({ credentials: [], filesFolder: '' });
	const sandbox = await step(progress, 'Starting the sandbox as the phone service', () =>
		startSandbox(callsLast),
	);
	try {
		const { name, parameters, onError } = calling;
		const items = await readContacts();
		const execute = async (mode: 'dryRun' | 'live'): Promise<Ran> => {
			const { data, error } = await run({
				parameters: { ...parameters, mode },
				items: items.map((contact) => ({ ...contact })),
				api: apiOf(sandbox),
				onError,
				nodeName: name,
				executionId: mode,
			});
			return ranIn({ data, status: error ? 'error' : 'success' } as Execution, name);
		};
		const campaign = await runCampaign(execute, sandbox, progress);
		return { campaign, journal: [...sandbox.journal] };
	} finally {
		await sandbox.close();
	}
}
