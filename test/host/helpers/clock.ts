import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** n8n looks at the file every 20 ms. */
const NOTICED_MS = 10_000;

/** The clock of an n8n: it can be set, and goes on from there. */
export class Clock {
	private readonly folder = mkdtempSync(path.join(tmpdir(), 'outbound-calls-clock-'));
	private readonly file = path.join(this.folder, 'ahead');
	private readonly noticed = `${this.file}.noticed`;
	private ahead = 0;

	/** What n8n must be started with. */
	readonly env = {
		NODE_OPTIONS: `--require=${path.join(__dirname, 'movedClock.js')}`,
		OUTBOUND_CALLS_CLOCK: this.file,
	};

	async set(time: number): Promise<void> {
		const ahead = time - Date.now();
		if (ahead === this.ahead) return;
		this.ahead = ahead;
		const deadline = Date.now() + NOTICED_MS;
		writeFileSync(this.noticed, '');
		writeFileSync(this.file, String(ahead));
		while (readFileSync(this.noticed, 'utf8') !== String(ahead)) {
			if (Date.now() > deadline) throw new Error('n8n does not notice that its clock was moved.');
			await sleep(10);
		}
	}

	remove(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}
}
