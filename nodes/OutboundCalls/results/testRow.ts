/** The row of a test comes out as not called: its call went to the user's own phone. */
import type { CallOutcome, Placement, RowOutcome } from '../domain/callOutcome';

const testOf = ({ outcome }: RowOutcome) => (outcome.call === 'none' ? outcome.test : undefined);

/** Whether the user's own phone was called, or should have been, with the details of this row. */
export const isTest = (each: RowOutcome): boolean => testOf(each) !== undefined;

/** A row's outcome; for the row of a test, the one that it would have in a dry run. */
export const ownOutcome = (each: RowOutcome): CallOutcome =>
	testOf(each)?.otherwise ?? each.outcome;

/** Of the row's own call; for the row of a test, of the call to the user's own phone. */
export const placementOf = (each: RowOutcome): Placement => testOf(each)?.call ?? each.outcome.call;
