import type { IExecuteFunctions } from 'n8n-workflow';
import { thrownReason } from '../domain/values/format';
import { type Checked, problem } from '../domain/values/problem';

/** The credential's name, which saved workflows hold. */
export const CREDENTIAL = 'outboundCallsApi';

/** Its fields. */
export type Credential = Record<'baseUrl' | 'apiToken' | 'callbackSecret', string>;

/** Never rejects. */
export async function readCredential(context: IExecuteFunctions): Promise<Checked<Credential>> {
	try {
		return { ok: true, value: await context.getCredentials<Credential>(CREDENTIAL, 0) };
	} catch (thrown) {
		return problem(
			`The credential could not be read${thrownReason(thrown)}`,
			'Choose the credential again in this node, or save it again.',
		);
	}
}
