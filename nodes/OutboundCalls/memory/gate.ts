/**
 * Live needs a dry run or a test first: a copy of a workflow has an empty memory, and would call
 * everybody again. The mark is entered by a dry run or a test that somebody starts by hand, and
 * again with each claim: if it is new then, people were removed together with it.
 */
import type { Problem } from '../domain/problem';
import type { KeyList } from './keyList';

/** Why nobody is called, although the database can be used. */
export class MemoryRefusal extends Error {
	constructor(readonly problem: Problem) {
		super(problem.message);
	}
}

const NO_DRY_RUN: Problem = {
	message: 'Make a dry run in this workflow first',
	remedy:
		'A copy does not know whom the original called, and would call them again. Each setting of People Called Before needs its own dry run.',
};

/** The mark disappeared during a run. */
export const EMPTIED: Problem = {
	message: 'The call history of this workflow was emptied during this run',
	remedy:
		'Make a dry run to see who would be called again. If a Remove Duplicates node uses the scope Workflow, set it to Node.',
};

/** Throws a MemoryRefusal without the mark of the setting. Rejects if the database does. */
export async function checkGate(list: KeyList, mark: string): Promise<void> {
	const taken = await list.ask([mark]);
	if (!taken?.has(mark)) throw new MemoryRefusal(NO_DRY_RUN);
}
