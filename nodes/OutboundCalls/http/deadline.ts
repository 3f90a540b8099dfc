/** What of n8n's context concerns it. Older hosts have no signal of the execution. */
interface Cancellable {
	getExecutionCancelSignal?: () => AbortSignal | undefined;
}

/** Ends one request as a whole. */
export interface Deadline<Context> {
	/** To be the `this` of n8n's request helper. */
	context: Context;
	isOver(): boolean;
	/** Lets go of the execution's own signal. */
	close(): void;
}

/**
 * n8n behaviour: the option `timeout` bounds only the silence between two bytes, so that a body that drips
 * outlasts it, and the request helper takes the signal of the execution, whatever the options say. So it is
 * given a context whose signal also ends with the time.
 */
export function openDeadline<Context extends Cancellable>(
	context: Context,
	timeoutMs: number,
): Deadline<Context> {
	const ends = new AbortController();
	const end = (): void => {
		ends.abort();
	};
	const time = AbortSignal.timeout(timeoutMs);
	time.addEventListener('abort', end);
	const execution = context.getExecutionCancelSignal?.();
	if (execution?.aborted) end();
	execution?.addEventListener('abort', end);
	return {
		context: Object.create(context, {
			getExecutionCancelSignal: { value: () => ends.signal },
		}) as Context,
		isOver: () => time.aborted,
		close: () => {
			time.removeEventListener('abort', end);
			execution?.removeEventListener('abort', end);
		},
	};
}
