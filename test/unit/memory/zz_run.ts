import { playSchedule } from './lockModel';
(async () => {
	const from = Number(process.argv[2] ?? 1),
		many = Number(process.argv[3] ?? 100);
	const total: Record<string, number> = {};
	const t = process.cpuUsage();
	const gaps: number[] = [];
	for (let seed = from; seed < from + many; seed++) {
		const c = (await playSchedule(seed)) as any;
		for (const k in c)
			total[k] = k === 'longestWaitMs' ? Math.max(total[k] ?? 0, c[k]) : (total[k] ?? 0) + c[k];
		if (c.ownedTwice || c.forgotten || c.stuck || c.tooLong || c.failed || c.notStopped) console.log(seed, JSON.stringify(c));
		gaps.push(c.longestWaitMs);
	}
	console.log(total, process.cpuUsage(t).user / 1e6, 's');
})();
