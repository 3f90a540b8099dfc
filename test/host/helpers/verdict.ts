import { parse } from 'csv-parse/sync';
import { readFile } from 'node:fs/promises';
import type { Dial } from '../../sandbox';
import type { Campaign } from './campaign';

interface Dialed {
	journal: ReadonlyArray<Pick<Dial, 'phone'>>;
}

function executionFindings({ execution }: Campaign): string[] {
	if (execution.status === 'success') return [];
	const { error, lastNodeExecuted } = execution.data.resultData;
	const why = [error?.message, (error as { description?: string | null } | undefined)?.description];
	return [
		[`The workflow stopped at "${lastNodeExecuted ?? 'its start'}".`, ...why]
			.filter(Boolean)
			.join(' '),
	];
}

function rowFindings({ contacts, outcomes }: Campaign): string[] {
	if (contacts.length === 0) return ['No rows were read from contacts.csv.'];
	return contacts.flatMap(({ name, phone }, index) => {
		const count = outcomes[index]?.length ?? 0;
		return count === 1
			? []
			: [`Row ${index + 1} (${name}, ${phone}) has ${count || 'no'} outcomes instead of one.`];
	});
}

/** The output must say the truth: what stands behind it trusts it. */
function outputFindings({ contacts, outcomes }: Campaign, { journal }: Dialed): string[] {
	const dialed = new Set(journal.map(({ phone }) => phone));
	return contacts.flatMap(({ name, phone }, index) =>
		(outcomes[index] ?? []).flatMap(({ output, status }) => {
			const wasDialed = dialed.has(phone);
			if (
				wasDialed === (output === 'Called') ||
				status === 'unknown' ||
				status === 'already_called'
			)
				return [];
			return [
				`Row ${index + 1} (${name}, ${phone}) came out on ${output} and was ${wasDialed ? '' : 'not '}dialed.`,
			];
		}),
	);
}

function dialFindings({ contacts }: Campaign, { journal }: Dialed): string[] {
	const times = new Map(contacts.map(({ phone }) => [phone, 0]));
	for (const { phone } of journal) times.set(phone, (times.get(phone) ?? 0) + 1);

	return [...times].flatMap(([phone, count]) => {
		const rows = contacts.flatMap((contact, index) =>
			contact.phone === phone ? [`row ${index + 1}`] : [],
		);
		if (rows.length === 0) return [`${phone} is in no row and was dialed.`];
		return count === 1
			? []
			: [`${phone} (${rows.join(' and ')}) was dialed ${count} times instead of once.`];
	});
}

async function fileFindings({ contacts, resultsFile }: Campaign): Promise<string[]> {
	const text = await readFile(resultsFile, 'utf8').catch(() => undefined);
	if (text === undefined) return ['The workflow wrote no campaign-results.csv.'];
	const { length } = parse<Record<string, string>>(text, { columns: true, bom: true });
	return length === contacts.length
		? []
		: [`campaign-results.csv has ${length} rows instead of ${contacts.length}.`];
}

/** What breaks the promise (one outcome for every row, every number dialed once): a sentence for each case. */
export async function findings(campaign: Campaign, sandbox: Dialed): Promise<string[]> {
	return [
		...executionFindings(campaign),
		...rowFindings(campaign),
		...outputFindings(campaign, sandbox),
		...dialFindings(campaign, sandbox),
		...(await fileFindings(campaign)),
	];
}

/** The rows that were called but have no conversation: a sentence for each. */
export const unfollowed = ({
	contacts,
	outcomes,
}: Pick<Campaign, 'contacts' | 'outcomes'>): string[] =>
	contacts.flatMap(({ name, phone }, index) =>
		outcomes[index]?.some(
			({ output, conversationId }) => output === 'Called' && conversationId === null,
		)
			? [`Row ${index + 1} (${name}, ${phone}) was called and has no conversation.`]
			: [],
	);
