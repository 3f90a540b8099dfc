/** The credential's name, which saved workflows hold. */
export const CREDENTIAL = 'outboundCallsApi';
