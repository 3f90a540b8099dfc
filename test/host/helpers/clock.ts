import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** n8n looks at the file that often, and a slow machine a little later. */
const NOTICED_MS = 500;

/** The clock of an n8n: it can be set, and goes on from there. */
export class Clock {
	private readonly folder = mkdtempSync(path.join(tmpdir(), 'outbound-calls-clock-'));
	private readonly file = path.join(this.folder, 'ahead');

	/** What n8n must be started with. */
	readonly env = {
		NODE_OPTIONS: `--require=${path.join(__dirname, 'movedClock.js')}`,
		OUTBOUND_CALLS_CLOCK: this.file,
	};

	async set(time: number): Promise<void> {
		await this.move(time - Date.now());
	}

	/** Back to the machine's own time. */
	async reset(): Promise<void> {
		await this.move(0);
	}

	remove(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}

	private async move(ahead: number): Promise<void> {
		writeFileSync(this.file, String(ahead));
		await sleep(NOTICED_MS);
	}
}
