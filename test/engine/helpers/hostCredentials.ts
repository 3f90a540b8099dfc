import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	ICredentialType,
	IDataObject,
	IHttpRequestOptions,
	INode,
	Workflow,
} from 'n8n-workflow';

/**
 * Credentials as the host handles them: for each request the type's own `authenticate` is called or, where it is
 * declared, resolved and merged in. Nothing of the host is loaded here: whose engine it is, the caller decides.
 */
export function hostCredentials(type: ICredentialType, data: ICredentialDataDecryptedObject): ICredentialsHelper {
	return {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		preAuthentication: async () => await Promise.resolve(undefined),
		runPreAuthentication: async () => await Promise.resolve(undefined),
		getDecrypted: async () => await Promise.resolve({ ...data }),
		getCredentialsProperties: () => type.properties,

		async authenticate(
			credentials: ICredentialDataDecryptedObject,
			typeName: string,
			options: IHttpRequestOptions,
			workflow?: Workflow,
			node?: INode,
		): Promise<IHttpRequestOptions> {
			if (typeName !== type.name) throw new Error(`There is no credential type ${typeName}`);
			if (typeof type.authenticate === 'function') return await type.authenticate(credentials, options);
			if (!type.authenticate || !workflow || !node) throw new Error('The credential declares no header');
			const headers: IDataObject = {};
			for (const [name, value] of Object.entries(type.authenticate.properties.headers ?? {})) {
				headers[name] = workflow.expression.getSimpleParameterValue(node, value as string, 'internal', { $credentials: credentials });
			}
			return { ...options, headers: { ...options.headers, ...headers } };
		},
	} as unknown as ICredentialsHelper;
}
