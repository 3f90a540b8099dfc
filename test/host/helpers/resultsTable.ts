import Table from 'cli-table3';
import type { Campaign } from './campaign';
import type { Outcome } from './outcomes';

const reachedText = ({ reached }: Outcome): string =>
	reached === null ? '' : reached ? 'yes' : 'no';

/** The campaign as a table for a terminal, one line per outcome, in the order of the contacts. */
export function resultsTable({
	contacts,
	outcomes,
}: Pick<Campaign, 'contacts' | 'outcomes'>): string {
	const table = new Table({
		head: ['Row', 'Status', 'Reason', 'Destination', 'Name', 'Reached'],
		style: { head: [], border: [], compact: true },
	});
	contacts.forEach(({ name, phone }, index) => {
		const found = outcomes[index] ?? [];
		if (found.length === 0) table.push([index + 1, 'no outcome', '', phone, name, '']);
		for (const outcome of found) {
			table.push([
				index + 1,
				outcome.status,
				outcome.reason ?? '',
				outcome.destination || phone,
				name,
				reachedText(outcome),
			]);
		}
	});
	return table.toString();
}
