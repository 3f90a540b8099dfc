import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	ICredentialType,
	IDataObject,
	IExecuteData,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeParameters,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';

/** What the host resolves a credential's expressions with: one of the input's items. */
type ResolveValues = NonNullable<Parameters<ICredentialsHelper['getDecrypted']>[6]>;

/**
 * Credentials as the host handles them: each time that they are read, their expressions are resolved for the item asked for; for each request the type's own `authenticate` is called or, where it is
 * declared, resolved and merged in. Nothing of the host is loaded here: whose engine it is, the caller decides.
 */
export function hostCredentials(
	type: ICredentialType,
	data: ICredentialDataDecryptedObject,
): ICredentialsHelper {
	return {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		preAuthentication: async () => await Promise.resolve(undefined),
		runPreAuthentication: async () => await Promise.resolve(undefined),
		getDecrypted: async (
			_additionalData: IWorkflowExecuteAdditionalData,
			_credential: INodeCredentialsDetails,
			_type: string,
			mode: WorkflowExecuteMode,
			executeData?: IExecuteData,
			raw?: boolean,
			values?: ResolveValues,
		) => {
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
			);
		},
		getCredentialsProperties: () => type.properties,

		async authenticate(
			credentials: ICredentialDataDecryptedObject,
			typeName: string,
			options: IHttpRequestOptions,
			workflow?: Workflow,
			node?: INode,
		): Promise<IHttpRequestOptions> {
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
	} as unknown as ICredentialsHelper;
}
