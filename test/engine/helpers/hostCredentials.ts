import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	ICredentialType,
	IHttpRequestOptions,
	INodeParameters,
} from 'n8n-workflow';

/**
 * Credentials as the host handles them: each time that they are read, their expressions are resolved for the item asked for; for each request the type's own
 * `authenticate` is called. Nothing of the host is loaded here: whose engine it is, the caller decides.
 */
export function hostCredentials(
	type: ICredentialType,
	data: ICredentialDataDecryptedObject,
): ICredentialsHelper {
	const helper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		preAuthentication: async () => await Promise.resolve(undefined),
		runPreAuthentication: async () => await Promise.resolve(undefined),
		getDecrypted: async (_additionalData, _credential, _type, mode, executeData, raw, values) => {
			if (raw || !values) return await Promise.resolve({ ...data });
			const stored = { ...data } as INodeParameters;
			const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = values;
			return workflow.expression.getParameterValue(
				stored,
				runExecutionData,
				runIndex,
				itemIndex,
				node.name,
				connectionInputData,
				mode,
				{},
				executeData,
				false,
				stored,
			) as ICredentialDataDecryptedObject;
		},
		getCredentialsProperties: () => type.properties,

		async authenticate(credentials, typeName, options) {
			if (typeName !== type.name || typeof type.authenticate !== 'function')
				throw new Error(`There is no credential type ${typeName} with a header`);
			return await type.authenticate(credentials, options as IHttpRequestOptions);
		},
	};
	return helper as ICredentialsHelper;
}
