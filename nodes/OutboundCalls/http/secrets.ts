/** Shorter ones stand in words by chance, and guard nothing. */
const SHORTEST_SECRET = 6;

/**
 * A function that takes secrets out of an answer: one that quotes the token back must not carry it into
 * outputs and messages. Only string values change, so that the answer keeps its shape.
 */
export function withoutSecrets(...given: string[]): (value: unknown) => unknown {
	const secrets = [...new Set(given)].filter(({ length }) => length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
	const inJson = secrets.map((secret) => JSON.stringify(secret).slice(1, -1));
	const masked = (text: string): string => secrets.reduce((left, secret) => left.split(secret).join('***'), text);
	const walk = (value: unknown): unknown => {
		if (typeof value === 'string') return masked(value);
		if (Array.isArray(value)) return value.map(walk);
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([name, each]) => [masked(name), walk(each)]));
	};
	return (value) => {
		if (value === undefined || secrets.length === 0) return value;
		// One look at the whole text is cheaper than a walk, and nearly always enough.
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		return inJson.some((secret) => text.includes(secret)) || secrets.some((secret) => text.includes(secret)) ? walk(value) : value;
	};
}
