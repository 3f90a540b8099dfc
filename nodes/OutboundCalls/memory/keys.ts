/** The names of the keys: each purpose has its own first word. The host keeps hashes of them. */
import { type CallLimits, hasLimits, type LimitRefusal, longest, REACHED } from '../domain/limits';

/** The field People Called Before. */
export type CalledBefore = 'skip' | 'onceForEach' | 'callAgain';

/** What claims follow. */
export interface MemorySettings {
	calledBefore: CalledBefore;
	/** The key that lets this setting call people (`settingMark`). */
	mark: string;
	limits: CallLimits;
	/** Somebody looks at what this execution says: a refusal leaves no note for the next dry run. */
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

/** Why a row is not called: a call before, or a limit. */
export type Refusal =
	{ kind: 'already_called'; by: 'workflow' | 'retry' } | ({ kind: 'limit_reached' } & LimitRefusal);

/** Whom any setting has called. */
export const personKey = (person: string): string => `person ${person}`;
export const onceKey = (value: string, person: string): string => `once ${value} ${person}`;
/** A person who was reached, or of whom nobody has learned otherwise yet. */
export const reachedKey = (person: string): string => `reached ${person}`;

/** A dry run or a test was made with this setting. `stored`: the stored text of Once for Each. */
export const settingMark = (
	calledBefore: CalledBefore,
	stored: string,
	hoursBetween?: number,
): string =>
	`mark ${hoursBetween === undefined ? '' : `gap ${hoursBetween} `}${calledBefore === 'onceForEach' ? `once ${stored}` : calledBefore}`;

/** Any setting of this workflow has called somebody. */
export const SOMEBODY = 'somebody';

/** Whether the memory decides who is called, so that Live needs a dry run first. */
export const usesMemory = ({
	calledBefore,
	limits,
}: Pick<MemorySettings, 'calledBefore' | 'limits'>): boolean =>
	calledBefore !== 'callAgain' || hasLimits(limits);

const CALLED: Refusal = { kind: 'already_called', by: 'workflow' };
const RETRIED: Refusal = { kind: 'already_called', by: 'retry' };
const WAS_REACHED: Refusal = { kind: 'limit_reached', ...REACHED };

/** Of several limits, the one that holds longest counts. */
export function longestRefusal(refusals: readonly LimitRefusal[]): Refusal | undefined {
	const limit = longest(refusals);
	return limit && { kind: 'limit_reached', ...limit };
}

/** The keys of a row, except its places: `deciding` ones must be new, others are recorded. */
export function keysOf({ person, onceForEach }: ClaimRow, settings: MemorySettings) {
	const { calledBefore, limits, retryOf, node } = settings;
	const deciding: Array<{ key: string; refusal: Refusal }> = [];
	if (calledBefore === 'skip') deciding.push({ key: personKey(person), refusal: CALLED });
	if (calledBefore === 'onceForEach')
		deciding.push({ key: onceKey(onceForEach ?? '', person), refusal: CALLED });
	if (retryOf !== undefined)
		deciding.push({ key: `retry ${retryOf} ${node} ${person}`, refusal: RETRIED });
	if (limits.stopWhenReached) deciding.push({ key: reachedKey(person), refusal: WAS_REACHED });
	const isRecorded = calledBefore !== 'skip' && usesMemory(settings);
	return { deciding, recordOnly: isRecorded ? [personKey(person)] : [] };
}
