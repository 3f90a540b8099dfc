import type { IExecuteFunctions } from 'n8n-workflow';
import { isOfRows } from '../domain/expression/parameter';
import { formatCount } from '../domain/format';
import { type Checked, ok, problem } from '../domain/problem';
import { type Credential, CREDENTIAL } from '../http/credential';
import { hostOf } from './host';
import { Slices } from './slices';

/**
 * The credential, which counts for the whole run: nobody may be called by the account of somebody else's row. It may hold
 * expressions, and the host reads it from its database each time that they are resolved for a row (n8n behaviour). So each row is
 * asked only where they may come to something else for it. What they come to for a row that does not exist would not tell that.
 */
export async function readCredential(
	context: IExecuteFunctions,
	rows: number,
	signal: AbortSignal | undefined,
): Promise<Checked<Credential>> {
	const read = async (itemIndex: number): Promise<Credential> =>
		await context.getCredentials<Credential>(CREDENTIAL, itemIndex);
	const { additionalData } = hostOf(context);
	try {
		const first = await read(0);
		const slices = new Slices(signal);
		// Its expressions unresolved. No documented function tells that: where the host does not, each row is asked.
		const stored: unknown =
			rows > 1 &&
			(await additionalData?.credentialsHelper.getDecrypted(
				additionalData,
				context.getNode().credentials![CREDENTIAL]!,
				CREDENTIAL,
				context.getMode(),
				undefined,
				true,
			));
		const isAsked = isOfRows(stored ?? '=$');
		for (let itemIndex = 1; isAsked && itemIndex < rows && !slices.isStopped; itemIndex++) {
			if (JSON.stringify(await read(itemIndex)) !== JSON.stringify(first)) {
				return problem(
					`The credential is another one for row ${formatCount(itemIndex + 1)}, but it counts for the whole run`,
					'Give it one value for all rows.',
				);
			}
			if (slices.isOver) await slices.rest();
		}
		return ok(first);
	} catch (thrown) {
		const why = thrown instanceof Error ? ` (${thrown.message})` : '';
		return problem(
			`The credential could not be read${why}`,
			'Choose the credential again in this node, or save it anew.',
		);
	}
}
