import type { INodeProperties } from 'n8n-workflow';

type DisplayOptions = NonNullable<INodeProperties['displayOptions']>;

/** Shows a field while other fields have one of these values. */
export const showWhen = (show: DisplayOptions['show']): { displayOptions: DisplayOptions } => ({
	displayOptions: { show },
});
