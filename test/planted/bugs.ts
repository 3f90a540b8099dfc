/** A change of one line that breaks the promise. */
export interface Bug {
	name: string;
	file: string;
	/** Stands there exactly once. */
	find: string;
	replace: string;
}

/** Each of them calls somebody twice, at the wrong time or not at all, or says what is not true. */
export const BUGS: readonly Bug[] = [
	{
		name: 'A success without JSON is sent again',
		file: 'nodes/OutboundCalls/domain/api/sendPolicy.ts',
		find: "if (!isRefused) return { kind: success ? 'placed' : 'unknown' };",
		replace:
			"if (!isRefused) return !success ? { kind: 'unknown' } : isObject(body) ? { kind: 'placed' } : { kind: 'refused', retryable: true };",
	},
	{
		name: 'People are released although their outcome is unknown',
		file: 'nodes/OutboundCalls/placement/send.ts',
		find: 'this.outcomes.markUnknown(rows, why);\n',
		replace:
			'this.outcomes.markUnknown(rows, why);\n\t\t\tawait this.context.claims.release(rows);\n',
	},
	{
		name: 'Nobody is released after a refusal',
		file: 'nodes/OutboundCalls/placement/send.ts',
		find: 'if (rows.length > 0) await this.context.claims.release(rows);',
		replace: '',
	},
	{
		name: 'Duplicates are called',
		file: 'nodes/OutboundCalls/domain/sharing.ts',
		find: 'if (first && !isFreed(first, row)) {',
		replace: 'if (first && row.position < 0) {',
	},
	{
		name: 'Max Calls per Day is one too many',
		file: 'nodes/OutboundCalls/domain/limits.ts',
		find: 'most: calls,\n\t\theldBack',
		replace: "most: of === 'all' ? calls + 1 : calls,\n\t\theldBack",
	},
	{
		name: 'A 502 of the API’s own is sent again',
		file: 'nodes/OutboundCalls/domain/api/sendPolicy.ts',
		find: "if (status === 429 || status === 503) return { kind: 'refused', retryable: true };",
		replace: "if ([429, 502, 503].includes(status)) return { kind: 'refused', retryable: true };",
	},
	{
		name: 'The ledger’s first mark, before the answer, does not count',
		file: 'nodes/OutboundCalls/placement/ledger.ts',
		find: 'return Object.hasOwn(this.stored.people, person);',
		replace: 'return this.stored.people[person]?.[2] !== undefined;',
	},
	{
		name: 'Rows are not judged again before their request',
		file: 'nodes/OutboundCalls/placement/send.ts',
		find: 'const callable = this.callableNow(rows, agent);',
		replace: 'const callable = rows;',
	},
	{
		name: 'The hours between calls are not renewed after a pause',
		file: 'nodes/OutboundCalls/placement/send.ts',
		find: 'await claims.renew(rows);',
		replace: '',
	},
	{
		name: 'The API’s pause is halved',
		file: 'nodes/OutboundCalls/domain/api/retryTiming.ts',
		find: 'const waitMs = demandedMs * (1 + JITTER_SHARE * random);',
		replace: 'const waitMs = (demandedMs / 2) * (1 + JITTER_SHARE * random);',
	},
	{
		name: 'The memory does not learn who was not reached',
		file: 'nodes/OutboundCalls/placement/callRows.ts',
		find: 'if (live) await live.claims.learn(learnedFrom(followed));',
		replace: '',
	},
	{
		name: 'Two executions call one person at the same time',
		file: 'nodes/OutboundCalls/placement/send.ts',
		find: 'isSomeoneBeingCalled(rows) || ',
		replace: '',
	},
	{
		name: 'A request that leaves is not marked with its time',
		file: 'nodes/OutboundCalls/placement/send.ts',
		find: 'ledger.markLeft(rows);',
		replace: '',
	},
	{
		name: 'A Retry does not claim its people under the first execution',
		file: 'nodes/OutboundCalls/memory/keys.ts',
		find: 'if (retryOf !== undefined)',
		replace: 'if (retryOf === node)',
	},
];

/** Those of which the random campaigns find at least so many. */
export const OF_CAMPAIGNS = { first: 12, least: 10 };
