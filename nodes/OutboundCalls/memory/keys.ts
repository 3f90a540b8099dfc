/** The names of the keys: each purpose has its own first word. The host keeps hashes of them. */
import type { ChoiceOf } from '../domain/panelDefaults';
import { type CallLimits, hasLimits, REACHED } from '../domain/limits';
import type { HeldBack } from '../domain/outcome';
import { plainText, quoted } from '../domain/values';

/** Claims follow these settings. */
export interface MemorySettings {
	calledBefore: ChoiceOf<'calledBefore'>;
	limits: CallLimits;
	/** The key that opens Live for this setting (memory/liveGate.ts). */
	mark: string;
	/** Somebody looks at what this execution says. */
	isByHand: boolean;
	/** ID of the first execution; undefined unless this one is a retry. */
	retryOf: string | undefined;
	node: string;
}

/** What a claim needs to know of a row. */
export interface ClaimRow {
	position: number;
	/** E.164, the same for all spellings of a number. */
	person: string;
	/** The value of Once for Each, normalized. */
	onceForEach?: string | undefined;
}

/** Says that some setting has called the person. */
export const personKey = (person: string) => `person ${person}`;
export const onceKey = (value: string, person: string) => `once ${value} ${person}`;
/** A person who was reached, or of whom nobody has learned otherwise yet. */
export const reachedKey = (person: string) => `reached ${person}`;

/** Calls were made with Hours Between Calls. */
export const hoursKey = (hours: number) => `hours ${hours}`;

/** Any setting of this workflow has called somebody. */
export const SOMEBODY = 'somebody';

/** Whether the memory decides who is called. */
export const usesMemory = (uses: Pick<MemorySettings, 'calledBefore' | 'limits'>) =>
	uses.calledBefore !== 'callAgain' || hasLimits(uses.limits);

const called = (reason: string): HeldBack => ({ by: 'called_before', reason });
const CALLED = called('Called before');
const RETRIED = called('Called by another Retry of this execution');

/** Characters of a value in a reason that many rows share. */
const MAX_VALUE_LENGTH = 30;

const calledFor = (value: string): HeldBack =>
	called(`Called before for ${plainText(quoted(value), MAX_VALUE_LENGTH)}`);

/** The keys of a row, except its places: `deciding` ones must be free, others are recorded. */
export function keysOf({ person, onceForEach = '' }: ClaimRow, settings: MemorySettings) {
	const { calledBefore, limits, retryOf, node } = settings;
	const deciding: Array<{ key: string; heldBack: HeldBack }> = [];
	if (calledBefore === 'skip') deciding.push({ key: personKey(person), heldBack: CALLED });
	if (calledBefore === 'onceForEach')
		deciding.push({ key: onceKey(onceForEach, person), heldBack: calledFor(onceForEach) });
	if (retryOf !== undefined)
		deciding.push({ key: `retry ${retryOf} ${node} ${person}`, heldBack: RETRIED });
	if (limits.stopWhenReached) deciding.push({ key: reachedKey(person), heldBack: REACHED });
	const isRecorded = calledBefore !== 'skip' && usesMemory(settings);
	return { deciding, recorded: isRecorded ? [personKey(person)] : [] };
}
