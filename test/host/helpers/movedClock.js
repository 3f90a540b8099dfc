const { readFileSync } = require('node:fs');

/** Loaded into n8n before anything else: its clock goes as far ahead of the machine's as a file says, in milliseconds. */
const RealDate = Date;
const realNow = Date.now.bind(Date);
let ahead = 0;

const read = () => {
	try {
		ahead = Number(readFileSync(process.env.OUTBOUND_CALLS_CLOCK, 'utf8')) || 0;
	} catch {
		// Nobody has moved the clock yet.
	}
};
read();
setInterval(read, 20).unref();

const now = () => realNow() + ahead;

globalThis.Date = new Proxy(RealDate, {
	construct: (date, given, newTarget) =>
		Reflect.construct(date, given.length === 0 ? [now()] : given, newTarget),
	apply: () => new RealDate(now()).toString(),
	get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
});
