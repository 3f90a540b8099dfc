/** Writes the CPU profile of a process: begins when it prints, and ends with its input. For a Node.js with WebSocket. */
const [port, file] = process.argv.slice(2);
(async () => {
	const [{ webSocketDebuggerUrl }] = await (
		await fetch('http://127.0.0.1:' + port + '/json/list')
	).json();
	const socket = new WebSocket(webSocketDebuggerUrl);
	await new Promise((resolve) => socket.addEventListener('open', resolve));
	const answers = new Map();
	socket.addEventListener('message', ({ data }) => {
		const { id, result } = JSON.parse(data);
		answers.get(id)?.(result);
	});
	let last = 0;
	const ask = (method, params = {}) =>
		new Promise((resolve) => {
			answers.set(++last, resolve);
			socket.send(JSON.stringify({ id: last, method, params }));
		});
	await ask('Profiler.enable');
	await ask('Profiler.setSamplingInterval', { interval: 1000 });
	await ask('Profiler.start');
	process.stdin
		.on('end', async () => {
			const { profile } = await ask('Profiler.stop');
			require('node:fs').writeFileSync(file, JSON.stringify(profile));
			process.exit();
		})
		.resume();
	console.log('profiling');
})();
