/** Values of n8n’s setting On Error. */
export const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
export const CONTINUE = ['continueRegularOutput', 'continueErrorOutput'] as const;
export const goesOn = { onError: 'continueRegularOutput' } as const;
