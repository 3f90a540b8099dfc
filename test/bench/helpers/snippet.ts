import { count, inSeconds, type Section } from './figures';
import type { Setting } from './report';

/** The figures of `docs/speed.md`: what a user wants to know, and every goal that is not met. */
export function snippet(measuredOn: Setting, sections: Record<string, Section>): string {
	const figures = Object.values(sections).flatMap((section) => section.figures);
	const missed = figures.filter(({ holds }) => !holds);
	const { machine, memory, node, n8n, date } = measuredOn;
	return [
		'',
		'![CPU time for each row, requests and rows called, compared with n8n’s HTTP Request node](pictures/bench.svg)',
		'',
		peersTable(sections.peers!),
		'',
		'In a real n8n with SQLite, with everything that it stores (2,000 rows, answers after 20 ms):',
		'',
		markdown(sections.host!.table),
		'',
		'What it costs that n8n remembers the people called (1,000 rows, answers after 20 ms, the same n8n):',
		'',
		markdown(sections.remembered!.table),
		'',
		campaignSentence(sections.campaign!),
		'',
		killsSentence(sections.kills!),
		'',
		'More rows do not cost more each (without what n8n’s database takes):',
		'',
		growthTable(sections.growth!),
		'',
		limitSentence(sections.limit!),
		'',
		`Measured on ${date}: ${machine}, ${memory}, ${node}, ${n8n}. Of ${figures.length} goals that we set ourselves, ${figures.length - missed.length} are met${missed.length > 0 ? `; not: ${missed.map(({ what, shown, bar }) => `${what} (${shown}, ${bar})`).join('; ')}` : ''}. All numbers: [bench/latest.json](bench/latest.json); yours: \`npm run bench\`.`,
		'',
	].join('\n');
}

const markdown = (rows: Array<Record<string, string>>): string => {
	const [first = {}] = rows;
	const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
	const names = Object.keys(first);
	return [
		line(names),
		`|${'---|'.repeat(names.length)}`,
		...rows.map((row) => line(Object.values(row))),
	].join('\n');
};

const peersTable = ({ table }: Section): string =>
	markdown(
		table.map(({ Side, Job, ...row }) => ({
			Job: Job!,
			With: Side!,
			Requests: row.Requests!,
			'At once': row['Most at once']!,
			'CPU for each row': row['CPU for each row']!,
			'Numbers called': row.Called!,
			'Called twice': row['Called twice']!,
			'Rows that say so': row['Rows that say so']!,
		})),
	);

const growthTable = ({ table }: Section): string =>
	markdown(
		table.map((row) => ({
			Rows: row.Rows!,
			'CPU for each row': row['CPU for each row']!,
			'Memory for each row, most': row['Peak for each row']!,
			'Of it n8n’s own': row['Of it n8n’s own']!,
		})),
	);

const shownIn = ({ figures }: Section, what: RegExp): string =>
	figures.find((figure) => what.test(figure.what))!.shown;

function campaignSentence(campaign: Section): string {
	const { rows, run } = campaign.details as { rows: number; run: { nodeMs: number } };
	const parts = campaign.table.filter((row) => row['Share of the CPU'] !== '');
	const share = ({ Part, 'Share of the CPU': percent }: Record<string, string>): string =>
		`${Part!} ${percent!}`;
	return `A campaign of ${count(rows)} rows took ${inSeconds(run.nodeMs)}. A row of its last tenth took ${shownIn(campaign, /^Time/)} times the time and ${shownIn(campaign, /^CPU/)} times the CPU of one of its first. Where the CPU went: ${parts.map(share).join(', ')}.`;
}

function killsSentence(kills: Section): string {
	const { rows, killed } = kills.details as { rows: number; killed: unknown[] };
	const inVain = kills.figures.filter(({ what }) => what.startsWith('Most claimed'));
	const most = inVain.map(
		({ what, shown, bar }) => `${shown} ${what.replace(/^.*, /, '')} (${bar})`,
	);
	return `Killed at ${killed.length} moments by chance in a campaign of ${count(rows)} rows, and started again: ${shownIn(kills, /called twice/)} called twice, ${shownIn(kills, /forgot/)} forgotten. The most people who were entered and never called: ${most.join(', ')}.`;
}

const limitSentence = ({ table, details }: Section): string => {
	const { first } = details as {
		first: { rows: number; lanes: number; nodeMs: number; senderMs: number };
	};
	const runs = table.filter((row) => Number(row['Parallel requests']) > 0);
	const bare = table.find((row) => !runs.includes(row));
	const times = runs.map(
		(row) =>
			`${row['Median time']!} with ${row['Parallel requests']!} parallel ${row['Parallel requests'] === '1' ? 'request' : 'requests'} (the least possible: ${row['Least possible']!})`,
	);
	const ratios = (column: string): string => runs.map((row) => row[column]!).join(', ');
	return `With answers that take 100 ms, 4,000 rows take ${times.join(', ')}: ${ratios('Ratio')} times the least possible. A node that only sends the same requests through n8n and does nothing else takes ${ratios('A node that only sends')} times; a bare HTTP client outside of n8n ${bare!.Ratio!} times. The first run of a process sends its first request alone, until the API has answered: ${count(first.rows)} rows with ${first.lanes} parallel requests take ${inSeconds(first.nodeMs)} then, and ${inSeconds(first.senderMs)} with a node that only sends.`;
};
