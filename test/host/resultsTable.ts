import Table from 'cli-table3';
import type { Campaign, FollowedCampaign } from './campaign';

/** The campaign as a table for a terminal, one line per outcome, in the order of the contacts. */
export function resultsTable({ contacts, outcomes, conversations }: FollowedCampaign): string {
	const table = new Table({
		head: ['Row', 'Name', 'Destination', 'Status', 'Call record', 'Conversation', 'Reason'],
		style: { head: [], border: [], compact: true },
	});
	contacts.forEach(({ name, phone }, index) => {
		const found = outcomes[index] ?? [];
		const conversation = conversations[index] ?? '';
		if (found.length === 0) table.push([index + 1, name, phone, 'no outcome', '', conversation, '']);
		for (const { destination, status, callRecordId, reason } of found) {
			table.push([index + 1, name, destination || phone, status, callRecordId ?? '', conversation, reason ?? '']);
		}
	});
	return table.toString();
}

/** How many rows got which status, such as "27 rows: 25 initiated, 2 duplicate". */
export function totals({ contacts, outcomes }: Campaign): string {
	const counts = new Map<string, number>();
	for (const { status } of outcomes.flat()) counts.set(status, (counts.get(status) ?? 0) + 1);
	const parts = [...counts].map(([status, count]) => `${count} ${status}`);
	return `${contacts.length} rows: ${parts.join(', ') || 'no outcomes'}`;
}
