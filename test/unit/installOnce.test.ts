import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installOnce } from '../host/helpers/installOnce';

/** Who installs shows often that it lives; who waits looks rarely, so that no slow machine makes it take over. */
const BEAT_MS = 20;
const LOOK_MS = 200;
/** More beats than fit into the ten looks after which a lock without any is taken over. */
const MANY_BEATS = 120;

let folder: string;
/** What the starts did, in order. */
let did: string[];
beforeEach(() => {
	folder = path.join(mkdtempSync(path.join(tmpdir(), 'install-once-')), 'n8n');
	did = [];
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }));

const made = (): string[] => readdirSync(path.dirname(folder));
const until = async (happened: () => boolean): Promise<void> => {
	while (!happened()) await sleep(5);
};

/** A start whose installation ends when `mayEnd` does. */
async function start(name: string, mayEnd?: () => Promise<void>): Promise<void> {
	const isInstalled = async () => await Promise.resolve(existsSync(path.join(folder, 'marker')));
	const install = async (staging: string): Promise<void> => {
		expect(readdirSync(staging)).toEqual([]);
		did.push(`${name} begins`);
		writeFileSync(path.join(staging, 'marker'), name);
		await mayEnd?.();
		did.push(`${name} ends`);
	};
	const say = (line: string): void => {
		if (/^Another start is installing n8n.*…$/.test(line)) did.push(`${name} waits`);
	};
	await installOnce({ name: 'n8n', folder, isInstalled, install }, say, LOOK_MS);
}

/** A start in a process of its own, which installs until it is ended. */
async function startElsewhere(): Promise<ChildProcess> {
	const program = `
		const { installOnce } = require('./test/host/helpers/installOnce');
		const install = async () => {
			console.log('installing');
			await new Promise((resolve) => setTimeout(resolve, 3_600_000));
		};
		const isInstalled = async () => false;
		void installOnce({ name: 'n8n', folder: process.argv[1], isInstalled, install }, () => {}, ${BEAT_MS});`;
	const child = spawn(process.execPath, ['--import', 'tsx', '-e', program, folder], {
		cwd: path.join(__dirname, '../..'),
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	await once(child.stdout, 'data');
	return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
	const exit = once(child, 'exit');
	child.kill(signal);
	await exit;
}

it('of two starts at once, one installs, and the other says that it waits; a third finds it', async () => {
	const othersWait = () => until(() => did.length === 2);
	await Promise.all([start('one', othersWait), start('two', othersWait)]);
	await start('three');
	expect(['one', 'two'].map((first) => [`${first} begins`, `${first} ends`])).toContainEqual(
		did.filter((what) => !what.endsWith('waits')),
	);
	expect([did.length, made()]).toEqual([3, ['n8n']]);
});

it('starts while another process installs wait, and touch nothing of it; once it was killed, one takes over', async () => {
	const other = await startElsewhere();
	const waiting = Promise.all(['one', 'two'].map(async (name) => await start(name)));
	const beats = new Set<number>();
	await until(() => beats.add(statSync(`${folder}.lock`).mtimeMs).size > MANY_BEATS);
	expect(did.sort()).toEqual(['one waits', 'two waits']);
	expect(made()).toEqual(['n8n.lock', expect.stringContaining('n8n.unfinished-')]);
	await end(other, 'SIGKILL');
	await waiting;
	const installer = readFileSync(path.join(folder, 'marker'), 'utf8');
	expect(did.slice(2)).toEqual([`${installer} begins`, `${installer} ends`]);
	expect(made()).toEqual(['n8n']);
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s leaves nothing', async (signal) => {
	await end(await startElsewhere(), signal);
	expect(made()).toEqual([]);
});

it('if an installation fails, the start that waits for it tries its own', async () => {
	const fails = async () => {
		await until(() => did.includes('second waits'));
		throw new Error('No network');
	};
	const failing = expect(start('first', fails)).rejects.toThrow('No network');
	await until(() => did.length > 0);
	await Promise.all([failing, start('second')]);
	expect(did).toEqual(['first begins', 'second waits', 'second begins', 'second ends']);
	expect(made()).toEqual(['n8n']);
});
