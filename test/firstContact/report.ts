import { type AssumptionId, ASSUMPTIONS } from './assumptions';
import type { Sent } from './client';
import type { FirstContact } from './firstContact';
import { said } from './answers';

const FIRST_LINES = [
	'# First contact',
	'',
	'What an account of the Outbound Calls REST API answered, beside what the node takes for granted. It holds no token and no phone number; of all answers only the names of the fields, and those values that say how the API works. [docs/maintainers/api.md](https://github.com/outbound-calls/n8n-nodes-outbound-calls/blob/main/docs/maintainers/api.md#first-contact) says what each line changes. Read it through before you pass it on.',
	'',
];

/** The report as Markdown, without what belongs to the account. */
export function reportOf(
	{ findings, client, endedBecause }: FirstContact,
	version: string,
): string {
	const lines = (Object.keys(ASSUMPTIONS) as AssumptionId[]).map((id) => {
		const { verdict, seen } = findings.of(id);
		return `| ${id} | ${ASSUMPTIONS[id]} | ${verdict} | ${inCell(seen)} |`;
	});
	return [
		...FIRST_LINES,
		`Version ${version} of the package.${endedBecause === undefined ? '' : ` It ended early: ${endedBecause}`}`,
		'',
		'| Line | We assume | | Seen |',
		'|---|---|---|---|',
		...lines,
		'',
		'## All requests',
		'',
		...client.sent.map((sent, n) => `${n + 1}. ${inCell(described(sent))}`),
	]
		.join('\n')
		.concat('\n');
}

const described = ({ request: { method, path }, about, exchange }: Sent): string =>
	`${method} ${path.replace(/^\/(batches|consents)\/[^/?]+/, '/$1/{id}')} (${about}): ${said(exchange)}`;

const inCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
