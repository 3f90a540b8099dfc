const { readFileSync, writeFileSync } = require('node:fs');
const Module = require('node:module');

/** Loaded into n8n before anything else: its clock goes as far ahead of the machine's as a file says, in milliseconds. */
let ahead = 0;

const file = process.env.OUTBOUND_CALLS_CLOCK;
const isN8n = process.argv[2] === 'start';
const read = () => {
	try {
		const text = readFileSync(file, 'utf8');
		if (text === '' || Number(text) === ahead) return;
		ahead = Number(text);
		if (isN8n) writeFileSync(`${file}.noticed`, text);
	} catch {
		// Nobody has moved the clock yet.
	}
};
read();
setInterval(read, 20).unref();

/** A Date that is ahead. It stands alone: its source also runs where expressions are evaluated. */
function movedDate(RealDate, milliseconds) {
	const realNow = RealDate.now;
	const now = () => realNow() + milliseconds();
	return new Proxy(RealDate, {
		construct: (date, given, newTarget) =>
			Reflect.construct(date, given.length === 0 ? [now()] : given, newTarget),
		apply: () => new RealDate(now()).toString(),
		get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
	});
}
globalThis.Date = movedDate(Date, () => ahead);

/** n8n evaluates expressions in isolates, which have a Date of their own. */
const load = Module._load;
Module._load = function (name, ...rest) {
	const loaded = load.call(this, name, ...rest);
	if (name === '@n8n/expression-runtime') {
		Module._load = load;
		const { execute } = loaded.IsolatedVmBridge.prototype;
		loaded.IsolatedVmBridge.prototype.execute = function (...given) {
			const real = '(globalThis.unmovedDate ??= Date)';
			this.context?.evalSync(
				`globalThis.Date = (${movedDate})(${real}, () => ${ahead}), undefined`,
			);
			return execute.apply(this, given);
		};
	}
	return loaded;
};
