/**
 * Live needs a dry run or a test first. A workflow that was duplicated, pasted or imported has an empty memory and would call
 * everybody again; so has one whose list was emptied from outside, or that remembers people by something new.
 *
 * A list is
 * - new: it is empty, or nobody has opened it. Nobody is called;
 * - opened: a dry run or a test has entered a first key, and a mark of its setting. The first key is older than all people in
 *   the list, so that whatever trims the list takes it before them;
 * - opened, without a mark of this setting, or with another setting in the last dry run of this node: people may have been called
 *   under another one, also when the node comes back to a setting that it had before. Nobody is called. A node without a dry run
 *   of its own, in this list or in the other one of Share Memory With, such as a copy, goes by the mark alone.
 * The first key and the mark are asked before a run's first person, and read back with each claim of the run: when one is gone,
 * people who were called are gone with it, and the run calls nobody any more.
 *
 * A mark that a dry run of the same execution has left, be it another node's or an earlier round's, opens nothing: nobody can have looked
 * at it. In an execution that starts by itself, a live node takes it out again, so that the next one does not find it.
 *
 * The host cannot be asked without entering (n8n behaviour), so missing keys are entered and taken out again, as one step of the
 * only writer before the first person. An empty list is found by counting, without a write.
 *
 * What is traded: a process that dies after it has entered these keys by asking, and before it has taken them out, leaves the
 * gate open: before the first person, in a claim that finds them gone, and in a dry run, which asks for the mark (`lookUp.ts`).
 * This is the unsafe direction: Live goes ahead, and people who were called under another setting, or before the list was
 * emptied, are called again.
 * When a list was trimmed, and a dry run opens it again, its first key comes behind the people who were left: the host enters at
 * the end only, and neither its order nor what it holds can be read. So a second trim that takes none but them is not noticed.
 */
import {
	markOf,
	type MemorySetting,
	OPENED,
	otherUsedKeys,
	usedElsewhere,
	usedKey,
} from '../domain/memoryKeys';
import type { Problem } from '../domain/problem';
import type { RunKeys } from './runKeys';

/** Why nobody is called, although the database can be used. */
export class MemoryRefusal extends Error {
	constructor(readonly problem: Problem) {
		super(problem.message);
	}
}

const LOOK = 'Set Mode to Dry Run, execute the node, and look whom it would call';
const THEN = 'Then set Mode to Live again.';

/** Of a memory that knew people. */
const FORGOT = `The memory no longer knows who was called before. ${LOOK}: take people who must not be called again out of your rows (your dashboard, or rows of earlier runs, show who was called). ${THEN}`;

const KNOWS_NOBODY =
	'A copy of a workflow does not know whom the original has called; a memory that was emptied knows nobody.';

const NEW: Problem = {
	message: 'No dry run or test was made in this workflow yet',
	remedy: `${LOOK}. ${THEN} ${KNOWS_NOBODY}`,
};

const UNSEEN: Problem = {
	message:
		'The dry run that Live needs was made in this same execution, so nobody can have looked at it yet',
	remedy: `Look at its rows, whom it would call. Then open this workflow and execute it by hand. ${KNOWS_NOBODY}`,
};

const CHANGED: Problem = {
	message: 'The option Remember People By was changed, and no dry run or test was made since',
	remedy: `${LOOK}: it says how many people were called under another setting and would be called again. ${THEN}`,
};

const SHARED_OTHERWISE: Problem = {
	message: 'The option Share Memory With was changed, and no dry run or test was made since',
	remedy: `${LOOK}: it says how many people were called under the other setting and would be called again. ${THEN}`,
};

const LOST: Problem = {
	message: 'n8n’s memory of the people called was emptied or trimmed by something else',
	remedy: `Look for a Remove Duplicates node whose scope is the workflow, and set its scope to the node. ${FORGOT}`,
};

const EMPTIED: Problem = {
	message: 'n8n’s memory of the people called was emptied by Forget People during this run',
	remedy: FORGOT,
};

/** Who remembers people, and by what. */
export interface GateSetting {
	/** What people are remembered by. */
	setting: MemorySetting | undefined;
	/** The node. */
	node: string;
}

/** Lets a run call people. Resolves with how many keys the list has. Rejects with a MemoryRefusal when no dry run or test was made. `other`: the list of the other setting of Share Memory With. `unseen`: marks that dry runs of this execution have left (`unseenMarks.ts`). */
export async function openGate(
	keys: RunKeys,
	other: RunKeys,
	{ setting, node }: GateSetting,
	unseen: readonly string[],
): Promise<number> {
	const mark = markOf(setting);
	const used = usedKey(node, setting);
	// Of a write that may have been made, nothing may stay that opens the gate.
	const asked = [OPENED, mark, used];
	if (asked.some((key) => unseen.includes(key))) throw new MemoryRefusal(UNSEEN);
	const size = await keys.count();
	if (size === 0) throw new MemoryRefusal(NEW);
	const missing = await keys.missing(asked, asked);
	if (missing.has(OPENED)) throw new MemoryRefusal(NEW);
	if (missing.has(mark)) throw new MemoryRefusal(CHANGED);
	if (missing.has(used)) {
		const others = otherUsedKeys(node, used);
		const unknown = await keys.missing(others);
		if (unknown.size < others.length)
			throw new MemoryRefusal(unknown.has(usedElsewhere(node)) ? CHANGED : SHARED_OTHERWISE);
		if (await hasUsed(other, node)) throw new MemoryRefusal(SHARED_OTHERWISE);
		await keys.record([used]);
	}
	keys.guard({
		keys: [OPENED, mark],
		swept: new MemoryRefusal(LOST),
		cleared: new MemoryRefusal(EMPTIED),
	});
	return size;
}

/** A dry run or a test was made. Resolves with its marks; `fresh`: those that were not there before. Rejects when the database cannot be used. */
export async function leaveMark(
	keys: RunKeys,
	{ setting, node }: GateSetting,
): Promise<{ marks: string[]; fresh: Set<string> }> {
	await noteUse(keys, node, usedKey(node, setting));
	const marks = [OPENED, markOf(setting)];
	return { marks, fresh: await keys.record(marks, marks) };
}

/** A dry run or a test was made that shares its memory with somebody else than this list. Rejects when the database cannot be used. */
export async function leaveNoMark(keys: RunKeys, { node }: GateSetting): Promise<void> {
	if ((await keys.count()) > 0) await noteUse(keys, node, usedElsewhere(node));
}

/** Whether the node has made a dry run or a test with this list, and none since with another one. */
async function hasUsed(keys: RunKeys, node: string): Promise<boolean> {
	if ((await keys.count()) === 0) return false;
	const uses = otherUsedKeys(node, usedElsewhere(node));
	return (await keys.missing(uses)).size < uses.length;
}

/** The node uses the list otherwise than before. */
async function noteUse(keys: RunKeys, node: string, used: string): Promise<void> {
	await keys.turn(async (list) => {
		// The others first, each time: what a process leaves behind that dies in between opens nothing.
		await list.takeOut(otherUsedKeys(node, used));
		await list.enter([used]);
	});
}
