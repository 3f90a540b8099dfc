import { type CallOutcome, notPlaced } from './callOutcome';
import { plainText } from './format';
import type { Row } from './row';
import type { MemoryScope } from './memoryKeys';

/** The outcome of a row whose person was called before, or may have been. `memoryOf`: undefined where only other retries of the execution are known. */
export function calledBefore({ callOnceKey }: Row, memoryOf: MemoryScope | undefined): CallOutcome {
	if (memoryOf === undefined)
		return notPlaced(
			'already_called',
			'Another Retry of this execution called this number, or may have.',
		);
	// The key is copied into Forget People, so all of it is quoted.
	const who =
		callOnceKey === undefined
			? 'this number, or may have'
			: `this person, or may have ("${plainText(callOnceKey)}" in Remember People By)`;
	return notPlaced(
		'already_called',
		memoryOf === 'node'
			? `An earlier run of this node called ${who}.`
			: `An earlier run of this workflow called ${who}. If this node has a purpose of its own, see its option Share Memory With.`,
	);
}
