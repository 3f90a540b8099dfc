import { stringify } from 'csv-stringify/sync';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SavedCredential, SavedWorkflow } from './client';
import type { Cluster } from './cluster';
import { exampleWorkflow, fillIn } from './exampleWorkflow';
import { until } from './hostBench';

/** A line of the campaign's table. */
export interface CallLine {
	phone: string;
	status: string;
	consent_id: string;
	execution: string;
}

/** `examples/contacts.csv` in the folder that the machines share. */
export const writeContacts = async ({ filesFolder }: Cluster, rows: object[]): Promise<void> =>
	await writeFile(path.join(filesFolder, 'contacts.csv'), stringify(rows, { header: true }));

/** The two examples of a campaign larger than one machine, as they run in a cluster. */
export class ClusterCampaigns {
	private constructor(
		private readonly cluster: Cluster,
		private readonly secret: SavedCredential,
		readonly slices: SavedWorkflow,
	) {}

	/** The slices call nobody: they are as they were imported. */
	static async publishedIn(cluster: Cluster): Promise<ClusterCampaigns> {
		const { client, n8n } = cluster;
		const data = { name: 'X-Campaign-Secret', value: 'only the campaign knows' };
		const secret = await client.createCredential({
			name: 'Campaign secret',
			type: 'httpHeaderAuth',
			data,
		});
		const slices = await client.createWorkflow(
			await filledIn(cluster, secret, 'campaign-slice.workflow.json'),
		);
		await client.activate(slices);
		await until('the webhook listens', async () => {
			const { status } = await fetch(`${n8n.url}/webhook/campaign-slice`, { method: 'POST' });
			return status === 403;
		});
		return new ClusterCampaigns(cluster, secret, slices);
	}

	/** Changes Mode in the slices and publishes them anew. */
	async setMode(mode: 'live' | 'dryRun'): Promise<void> {
		await this.fillIn({ mode });
	}

	/** Changes fields of the slices' *Call contacts* and publishes them anew. */
	async fillIn(parameters: object): Promise<void> {
		const { client } = this.cluster;
		fillIn(this.slices, 'Call contacts', parameters);
		Object.assign(this.slices, await client.updateWorkflow(this.slices));
		await client.activate(this.slices);
		await until(
			'the new version is live',
			async () => (await client.liveVersion(this.slices)) === this.slices.versionId,
		);
	}

	async enter(name: string, rows: object[]): Promise<ClusterCampaign> {
		const { cluster } = this;
		await writeContacts(cluster, rows);
		const example = await filledIn(
			cluster,
			this.secret,
			'campaign-larger-than-one-machine.workflow.json',
		);
		const assignments = [{ id: 'campaign', name: 'campaign', value: name, type: 'string' }];
		fillIn(example, 'Campaign', { assignments: { assignments } });
		return new ClusterCampaign(cluster, name, await cluster.client.createWorkflow(example));
	}
}

const filledIn = async (
	{ credential, postgresCredential, filesFolder }: Cluster,
	secret: SavedCredential,
	file: string,
) =>
	await exampleWorkflow(file, {
		credentials: [credential, postgresCredential, secret],
		filesFolder,
	});

export class ClusterCampaign {
	constructor(
		private readonly cluster: Cluster,
		private readonly name: string,
		readonly workflow: SavedWorkflow,
	) {}

	/** Starts it, for the first time or again, as it is filled in now; the slices go on when this has ended. */
	async start(): Promise<void> {
		Object.assign(this.workflow, await this.cluster.client.updateWorkflow(this.workflow));
		await this.run('Start campaign');
	}

	/** Waits until nothing is open and nobody is being called. Executions that were `lost` with their worker no longer write anything. */
	async ended(lost: ReadonlySet<string> = new Set()): Promise<void> {
		await until('all slices have ended', async () => {
			await sleep(200);
			return (await this.lines()).every(
				({ status, execution }) =>
					status !== 'open' && (status !== 'calling' || lost.has(execution)),
			);
		});
	}

	async lines(): Promise<CallLine[]> {
		const lines = await this.cluster.postgres.query(
			`SELECT * FROM campaign_calls WHERE campaign = '${this.name}' ORDER BY phone`,
		);
		return lines as unknown as CallLine[];
	}

	/** What a person does with numbers that were not called according to the dashboard. */
	async reopen(phones: string[]): Promise<void> {
		await this.cluster.postgres.query(
			`UPDATE campaign_calls SET status = 'open' WHERE campaign = '${this.name}' AND phone = ANY ('{${phones.join(',')}}')`,
		);
	}

	/** The results half an hour later, as the example writes them. */
	async results(): Promise<string> {
		await this.cluster.postgres.query(
			`UPDATE campaign_calls SET claimed_at = claimed_at - interval '30 minutes' WHERE campaign = '${this.name}'`,
		);
		await this.run('See results');
		return path.join(this.cluster.filesFolder, 'campaign-results.csv');
	}

	private async run(trigger: string): Promise<void> {
		const { status, data } = await this.cluster.client.runAndWait(this.workflow, trigger);
		if (status !== 'success')
			throw new Error(`"${trigger}" ended with ${status}: ${data.resultData.error?.message}`);
	}
}
