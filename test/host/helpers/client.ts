import { parse } from 'flatted';
import type { ExecutionStatus, IConnections, INode, IRunExecutionData } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Login {
	email: string;
	password: string;
}

/** What n8n needs to make a workflow; anything else that an exported file holds is left out. */
export interface WorkflowDefinition {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: object;
	/** What nodes put out instead of being executed by hand: items by the node's name. */
	pinData?: Record<string, object[]>;
}

export interface SavedWorkflow extends WorkflowDefinition {
	id: string;
	versionId: string;
}

export interface CredentialDefinition {
	name: string;
	type: string;
	data: Record<string, unknown>;
}

export interface SavedCredential {
	id: string;
	name: string;
	type: string;
}

type ColumnValue = string | number | boolean | null;

export interface DataTable {
	id: string;
	name: string;
	/** Oldest first, at most 250. */
	rows: () => Promise<TableRow[]>;
	insert: (rows: readonly TableRow[]) => Promise<void>;
	/** Changes columns of the row with this ID. */
	update: (id: number, columns: TableRow) => Promise<void>;
	drop: () => Promise<unknown>;
}

type TableRow = Record<string, ColumnValue>;

export interface ExecutionSummary {
	id: string;
	workflowId: string;
	mode: string;
	status: ExecutionStatus;
	retryOf?: string | null;
	startedAt: string;
	stoppedAt?: string | null;
}

export interface Execution extends ExecutionSummary {
	data: IRunExecutionData;
}

const contentOf = ({ name, nodes, connections, settings = {} }: WorkflowDefinition) => ({
	name,
	nodes,
	connections,
	settings,
});

const unfinished: ExecutionStatus[] = ['new', 'running', 'waiting', 'unknown'];

/** The calls that n8n's own editor makes (n8n 2.41), as one signed-in user. */
export class N8nClient {
	/** No `browser-id` is sent with the login, so that n8n does not tie the cookie to a browser. */
	private cookie = '';

	constructor(readonly url: string) {}

	async logIn({ email, password }: Login): Promise<void> {
		await this.send('POST', '/login', { emailOrLdapLoginId: email, password });
	}

	async createWorkflow(definition: WorkflowDefinition): Promise<SavedWorkflow> {
		// As the editor sends it: without pinned data, n8n 2.41 refuses to execute a step a second time (n8n behavior).
		const { pinData = {} } = definition;
		return await this.send('POST', '/workflows', { ...contentOf(definition), pinData });
	}

	/** Saves another version of a workflow; the one that is published stays so. */
	async updateWorkflow(workflow: SavedWorkflow): Promise<SavedWorkflow> {
		const { id, versionId } = workflow;
		return await this.send('PATCH', `/workflows/${id}`, { versionId, ...contentOf(workflow) });
	}

	/** Unpublishes a workflow. */
	async deactivate({ id }: { id: string }): Promise<void> {
		await this.send('POST', `/workflows/${id}/deactivate`);
	}

	async createCredential(credential: CredentialDefinition): Promise<SavedCredential> {
		return await this.send('POST', '/credentials', credential);
	}

	/** One of n8n's own tables; all columns are texts. */
	async createDataTable(name: string, rows: readonly TableRow[]): Promise<DataTable> {
		const columns = Object.keys(rows[0] ?? {}).map((column) => ({ name: column, type: 'string' }));
		const tables = await this.tablesPath();
		const { id } = await this.send<{ id: string }>('POST', tables, { name, columns });
		const table = this.tableAt(`${tables}/${id}`, id, name);
		await table.insert(rows);
		return table;
	}

	/** A table that exists, such as one that a workflow has made. */
	async dataTable(name: string): Promise<DataTable> {
		const tables = await this.tablesPath();
		const filter = encodeURIComponent(JSON.stringify({ name }));
		const { data } = await this.send<{ data: Array<{ id: string; name: string }> }>(
			'GET',
			`${tables}?filter=${filter}`,
		);
		const found = data.find((table) => table.name === name);
		if (!found) throw new Error(`n8n has no table "${name}".`);
		return this.tableAt(`${tables}/${found.id}`, found.id, name);
	}

	private async tablesPath(): Promise<string> {
		const { id } = await this.send<{ id: string }>('GET', '/projects/personal');
		return `/projects/${id}/data-tables`;
	}

	private tableAt(path: string, id: string, name: string): DataTable {
		return {
			id,
			name,
			rows: async () => {
				const query = 'take=250&sortBy=id:asc';
				return (await this.send<{ data: TableRow[] }>('GET', `${path}/rows?${query}`)).data;
			},
			insert: async (rows) => {
				for (let n = 0; n < rows.length; n += 500)
					await this.send('POST', `${path}/insert`, {
						data: rows.slice(n, n + 500),
						returnType: 'count',
					});
			},
			update: async (row, data) => {
				const filters = [{ columnName: 'id', condition: 'eq', value: row }];
				await this.send('PATCH', `${path}/rows`, { filter: { type: 'and', filters }, data });
			},
			drop: async () => await this.send('DELETE', path),
		};
	}

	/** Tests a saved credential as the editor does: n8n takes `data` as it is sent, and nothing from what is saved. */
	async testCredential(
		{ id, name, type }: SavedCredential,
		data: Record<string, unknown>,
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		return await this.send('POST', '/credentials/test', { credentials: { id, name, type, data } });
	}

	/** Starts a saved workflow from one of its triggers, as "Execute workflow" does; answers with the execution's id. */
	async run({ id }: { id: string }, triggerName: string): Promise<string> {
		const started = await this.send<{ executionId?: string }>('POST', `/workflows/${id}/run`, {
			triggerToStartFrom: { name: triggerName },
		});
		if (!started.executionId)
			throw new Error(`n8n waits for a webhook and did not run workflow ${id}.`);
		return started.executionId;
	}

	async runAndWait(
		workflow: { id: string },
		triggerName: string,
		timeoutMs?: number,
	): Promise<Execution> {
		return await this.waitForExecution(await this.run(workflow, triggerName), timeoutMs);
	}

	/** Newest first, at most 100, without their data. */
	async listExecutions(
		filter: { workflowId?: string; status?: ExecutionStatus[] } = {},
	): Promise<ExecutionSummary[]> {
		const query = new URLSearchParams({ filter: JSON.stringify(filter), limit: '100' });
		const { results } = await this.send<{ results: ExecutionSummary[] }>(
			'GET',
			`/executions?${query.toString()}`,
		);
		return results;
	}

	async getExecution(id: string): Promise<Execution> {
		const { data, ...summary } = await this.send<ExecutionSummary & { data: string }>(
			'GET',
			`/executions/${id}`,
		);
		return { ...summary, data: parse(data) as IRunExecutionData };
	}

	/** Waits until an execution has ended, however it ended. Throws after `timeoutMs`. */
	async waitForExecution(id: string, timeoutMs = 120_000): Promise<Execution> {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const execution = await this.getExecution(id);
			if (!unfinished.includes(execution.status)) return execution;
			if (Date.now() > deadline) {
				throw new Error(
					`Execution ${id} is still "${execution.status}" after ${timeoutMs / 1000} s.`,
				);
			}
			await sleep(200);
		}
	}

	/** The Retry button with the workflow as it was. n8n answers only when the retry has ended. */
	async retryExecution(id: string): Promise<Execution> {
		const original = { loadWorkflow: false };
		const retry = await this.send<{ id: string }>('POST', `/executions/${id}/retry`, original);
		return await this.getExecution(retry.id);
	}

	async stopExecution(id: string): Promise<void> {
		await this.send('POST', `/executions/${id}/stop`);
	}

	/** The descriptions of all nodes, as the editor loads them. */
	async nodeTypes(): Promise<unknown> {
		const answer = await fetch(`${this.url}/types/nodes.json`, {
			headers: { cookie: this.cookie },
		});
		return await answer.json();
	}

	/** Sends one request to n8n's REST interface and unwraps its `data`. Throws on any status but 2xx. */
	async send<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		const ask = async () =>
			await fetch(`${this.url}/rest${path}`, {
				method,
				headers: { cookie: this.cookie, 'content-type': 'application/json' },
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			});
		// n8n may close an idle connection in the moment in which it is used again.
		const answer = await (method === 'GET' ? ask().catch(ask) : ask());
		const [cookie] = answer.headers.getSetCookie().filter((line) => line.startsWith('n8n-auth='));
		if (cookie) this.cookie = cookie.split(';')[0]!;

		const text = await answer.text();
		if (!answer.ok)
			throw new Error(
				`n8n answered ${method} ${path} with ${answer.status}: ${text.slice(0, 1_000)}`,
			);
		return (JSON.parse(text) as { data: T }).data;
	}
}
