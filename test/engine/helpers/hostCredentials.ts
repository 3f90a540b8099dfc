import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	ICredentialType,
	IDataObject,
	IHttpRequestOptions,
	INodeParameters,
} from 'n8n-workflow';

/**
 * Credentials as the host handles them: each time that they are read, their expressions are resolved for the item asked for; for each request the type's own `authenticate` is called or, where it is
 * declared, resolved and merged in. Nothing of the host is loaded here: whose engine it is, the caller decides.
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

		async authenticate(credentials, typeName, given, workflow, node) {
			const options = given as IHttpRequestOptions;
			if (typeName !== type.name) throw new Error(`There is no credential type ${typeName}`);
			if (typeof type.authenticate === 'function')
				return await type.authenticate(credentials, options);
			if (!type.authenticate || !workflow || !node)
				throw new Error('The credential declares no header');
			const headers: IDataObject = {};
			for (const [name, value] of Object.entries(type.authenticate.properties.headers ?? {})) {
				headers[name] = workflow.expression.getSimpleParameterValue(
					node,
					value as string,
					'internal',
					{ $credentials: credentials },
				);
			}
			return { ...options, headers: { ...options.headers, ...headers } };
		},
	};
	return helper as ICredentialsHelper;
}
