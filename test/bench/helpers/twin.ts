import type { IDataObject, INodeType } from 'n8n-workflow';

const REQUEST_SIZE = 10;

/** Outputs at once what a run of Bulk Call would, with new strings, as from parsed answers. */
export const twin: INodeType = {
	description: {
		displayName: 'Twin',
		name: 'twin',
		group: ['output'],
		version: 1,
		description: '',
		defaults: { name: 'Twin' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	},
	async execute() {
		const input = this.getInputData();
		const output = [];
		for (let first = 0; first < input.length; first += REQUEST_SIZE) {
			const answers = answered(input.slice(first, first + REQUEST_SIZE).map(({ json }) => json));
			for (const [n, json] of answers.entries())
				output.push({ json, pairedItem: { item: first + n } });
		}
		return await Promise.resolve([output]);
	},
};

function answered(rows: IDataObject[]): IDataObject[] {
	const { batch_id, results } = JSON.parse(
		JSON.stringify({
			batch_id: '70449aef-cb98-4d6b-b6cb-2688c9fcce0e',
			results: rows.map(({ phone }, n) => ({
				destination: phone,
				consent_id: n,
				call_sid: `CA${String(n).padStart(12, '0')}`,
			})),
		}),
	) as {
		batch_id: string;
		results: Array<{ destination: string; consent_id: number; call_sid: string }>;
	};
	return results.map(({ destination, consent_id, call_sid }, n) => ({
		status: 'initiated',
		reason: null,
		destination,
		...rows[n],
		success: true,
		consent_id,
		call_sid,
		batch_id,
	}));
}
