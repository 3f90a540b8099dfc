import type { INodeExecutionData } from 'n8n-workflow';
import type { Finished } from './harness';

/** The texts that n8n shows for an execution that ended with a message. */
export function shown({ error }: Finished) {
	if (!error) throw new Error('The execution ended without a message');
	const { message, description, httpCode } = error as {
		message: string;
		description?: string | null;
		httpCode?: string | null;
	};
	return { message, description: description ?? '', httpCode: httpCode ?? null };
}

/** Such an execution says what happened and what to do: each of these stands there. */
export function says(
	run: Finished,
	message: RegExp | RegExp[],
	remedy: RegExp | RegExp[] = [],
	httpCode?: string,
): void {
	const ended = shown(run);
	for (const each of [message].flat()) expect(ended.message).toMatch(each);
	for (const each of [remedy].flat()) expect(ended.description).toMatch(each);
	if (httpCode !== undefined) expect(ended.httpCode).toBe(httpCode);
}

export const statuses = (rows: Array<{ status?: unknown }>): unknown[] =>
	rows.map(({ status }) => status);

/** The same status for so many rows. */
export const all = (count: number, status: string): string[] => Array<string>(count).fill(status);

/** The summary above the table. */
export const linesOf = ({ hints }: Finished): string[] =>
	hints.flatMap(({ message }) => message.split('<br>'));

/** Which input items the output items are paired with. */
export const pairs = (items: INodeExecutionData[]): unknown[] =>
	items.map(({ pairedItem }) =>
		Array.isArray(pairedItem)
			? pairedItem.map(({ item }) => item)
			: typeof pairedItem === 'object'
				? pairedItem.item
				: pairedItem,
	);

/** A text among the fields of an item. */
export const text = (value: unknown): string =>
	typeof value === 'string' ? value : JSON.stringify(value);
