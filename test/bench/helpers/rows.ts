import type { IDataObject } from 'n8n-workflow';

export const AGENT = '+15550002000';

/** Valid mobile numbers: for a prefix that nobody has, the phone library takes twice as long. */
export const numberOf = (n: number): string => `+49171${String(1_000_000 + n)}`;

/** A row of a campaign: the number, and what the sandbox agent's prompt needs. */
export interface CampaignRow {
	[column: string]: string | number;
	phone: string;
	name: string;
	amount: number;
}

export const campaignRows = (count: number): CampaignRow[] =>
	Array.from({ length: count }, (_, n) => ({
		phone: numberOf(n),
		name: `Person ${n}`,
		amount: n + 0.5,
	}));

export function countStatuses(rows: ReadonlyArray<{ json: IDataObject }>): Record<string, number> {
	const statuses: Record<string, number> = {};
	for (const { json } of rows) {
		const status = typeof json.status === 'string' ? json.status : 'none';
		statuses[status] = (statuses[status] ?? 0) + 1;
	}
	return statuses;
}
