import { forgetPeople, type Forgotten } from '../../claims/forgetPeople';
import { RunKeys } from '../../claims/runKeys';
import { formatCount, quoted, rowName } from '../../domain/format';
import { peopleToForget, type PeopleToForget, readEntries } from '../../domain/peopleToForget';
import { type Checked, ok, problem } from '../../domain/problem';
import type { Execution } from '../../execution/execution';
import { tryRead } from '../../execution/parameters';
import { RunParameters } from '../../execution/runParameters';
import { Slices } from '../../execution/slices';
import type { Execute } from '../operation';

export const executeForget: Execute = async (execution) => {
	const read = new RunParameters(execution);
	const what = read.parsed('forgetWhat', 'Whom to Forget', readWhat) ?? 'people';
	const memoryOf = read.choice('options.memoryOf', 'Share Memory With', ['workflow', 'node']);
	await read.check();
	const whom = what === 'people' ? await readPeople(execution) : undefined;
	const keys = new RunKeys(execution.keyStore(memoryOf));
	try {
		const json = whom
			? resultFields(
					whom,
					await forgetPeople(keys, whom, execution.timeZone, Date.now(), execution.signal),
				)
			: {
					forgotten: await keys.clear(),
					reason:
						'The memory is empty: its entries of people and its marks of dry runs are gone. Live needs a dry run or a test again.',
				};
		return [[{ json, pairedItem: execution.input.map((_item, item) => ({ item })) }]];
	} catch (thrown) {
		throw unusable(execution, thrown);
	} finally {
		await keys.close();
	}
};

function readWhat(value: unknown): Checked<'people' | 'everybody'> {
	if (value === 'people' || value === 'everybody') return ok(value);
	return problem(
		`Whom to Forget is ${quoted(value)}, which cannot be used`,
		'It takes “people” or “everybody”.',
	);
}

/** Of all items. Throws before anything is forgotten when one of them cannot be read, or when all are empty. */
async function readPeople(execution: Execution): Promise<PeopleToForget> {
	const value = execution.parameters.perItem<unknown>('people', '');
	const slices = new Slices(execution.signal);
	const entries = new Set<string>();
	for (let itemIndex = 0; itemIndex < execution.input.length; itemIndex++) {
		const given = tryRead(() => readEntries(value(itemIndex)));
		if (!given.ok)
			throw execution.operationError(given.error, `${rowName(itemIndex)}: ${given.error.message}`);
		for (const entry of given.value) entries.add(entry);
		if (slices.isOver) await slices.rest();
	}
	if (entries.size > 0) return peopleToForget(entries);
	throw execution.operationError({
		message: 'People to Forget is empty',
		remedy:
			'Give phone numbers with + and country code, or values of Remember People By. If it holds an expression, check the name of its column. Nobody was forgotten.',
	});
}

function resultFields(
	{ people, taken, unread }: PeopleToForget,
	{ entries, isStopped }: Forgotten,
) {
	const reasons = [
		isStopped ? 'The run was stopped before all of them were forgotten: run it again.' : '',
		unread > 0
			? `${unread === 1 ? '1 entry that looks like a phone number was taken for a key' : `${formatCount(unread)} entries that look like phone numbers were taken for keys`}: write numbers with + and their country code.`
			: '',
		entries === 0 && !isStopped
			? 'This memory knows nothing of them, so nothing changed. Run it in the workflow that called them. With Remember People By, give the value that it made. If the node that called them has Share Memory With set to Nobody, set that node’s own operation to Forget People.'
			: '',
	].filter((reason) => reason !== '');
	return {
		forgotten: entries,
		numbers: people.size,
		keys: taken,
		reason: reasons.length > 0 ? reasons.join(' ') : null,
	};
}

const unusable = (execution: Execution, thrown: unknown): Error =>
	execution.operationError({
		message: `n8n’s memory of the people called could not be used${thrown instanceof Error && thrown.message !== '' ? ` (${thrown.message})` : ''}`,
		remedy:
			'Run it again: some of them may still be remembered. If this workflow is new, save it first.',
	});
