import type { TopLevelSpec } from 'vega-lite';
import type { Section } from './figures';
import type { Setting } from './report';

interface Bar {
	panel: string;
	side: string;
	value: number;
	label: string;
}

const OURS = 'This node';
const OTHERS = ['HTTP Request, chunked by hand', 'HTTP Request, one per row'];
const shortNames: Record<string, string> = {
	'This node': OURS,
	'HTTP Request behind a Code node that makes chunks': OTHERS[0]!,
	'HTTP Request, one request for each row': OTHERS[1]!,
};

/** The comparison with n8n's own node, as bars side by side. */
export async function picture(
	measuredOn: Setting,
	sections: Record<string, Section>,
): Promise<string> {
	const [vega, vegaLite] = await Promise.all([import('vega'), import('vega-lite')]);
	const view = new vega.View(
		vega.parse(vegaLite.compile(specification(measuredOn, barsOf(sections.peers!))).spec),
		{ renderer: 'none' },
	);
	return `${await view.toSVG()}\n`;
}

function barsOf({ table }: Section): Bar[] {
	const { Job: unlimited = '' } = table[0]!;
	const panels: Array<[panel: string, column: string, job: RegExp]> = [
		['CPU time for each row, in µs', 'CPU for each row', /no limit/],
		[`Requests for ${unlimited.replace(', no limit', '')}`, 'Requests', /no limit/],
		['Most requests at the same time', 'Most at once', /no limit/],
		['300 rows under a limit of 5 requests per second: numbers called', 'Called', /On Error/],
		['The same with Retry On Fail: numbers called twice', 'Called twice', /Retry/],
	];
	return panels.flatMap(([panel, column, job]) =>
		table
			.filter((row) => job.test(row.Job!))
			.map((row) => ({
				panel,
				side: shortNames[row.Side!]!,
				value: Number(row[column]!.replace(/[^\d.]/g, '')),
				label: row[column]!.replace(' µs', ''),
			})),
	);
}

function specification({ machine, node, n8n, date }: Setting, bars: Bar[]): TopLevelSpec {
	const side = { field: 'side', type: 'nominal' as const, sort: [OURS, ...OTHERS] };
	const panels = [...new Set(bars.map(({ panel }) => panel))];
	return {
		background: 'white',
		padding: 16,
		title: {
			text: 'The same rows, called in three ways',
			subtitle: `${n8n}, ${node}, ${machine}, ${date}`,
			anchor: 'start',
			fontSize: 16,
			subtitleColor: '#555',
			offset: 14,
		},
		config: { font: 'Helvetica, Arial, sans-serif', view: { stroke: null } },
		vconcat: panels.map((panel) => ({
			title: { text: panel, anchor: 'start', fontSize: 12, offset: 4 },
			width: 420,
			height: 66,
			data: { values: bars.filter((bar) => bar.panel === panel) },
			encoding: {
				y: {
					...side,
					axis: { title: null, domain: false, ticks: false, labelLimit: 240, labelPadding: 8 },
				},
			},
			layer: [
				{
					mark: { type: 'bar', height: 14 },
					encoding: {
						x: { field: 'value', type: 'quantitative', axis: null },
						color: {
							...side,
							legend: null,
							scale: { domain: [OURS, ...OTHERS], range: ['#1a7f5a', '#b8bec7', '#8d95a1'] },
						},
					},
				},
				{
					mark: { type: 'text', align: 'left', dx: 5 },
					encoding: { x: { field: 'value', type: 'quantitative' }, text: { field: 'label' } },
				},
			],
		})),
	};
}
