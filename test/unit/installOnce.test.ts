import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installOnce } from '../host/helpers/installOnce';

/** As in life, but ten times as fast. */
const BEAT_MS = 100;

let cache: string;
let folder: string;
/** What the starts did, in order. */
let did: string[];
beforeEach(() => {
	cache = mkdtempSync(path.join(tmpdir(), 'install-once-'));
	folder = path.join(cache, 'n8n');
	did = [];
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

const isInstalled = async (): Promise<boolean> =>
	await Promise.resolve(existsSync(path.join(folder, 'marker')));

/** A start that takes a while to install, with what it says among what it did. */
async function start(name: string, fails = false): Promise<void> {
	const install = async (staging: string): Promise<void> => {
		expect(readdirSync(staging)).toEqual([]);
		did.push(`${name} begins`);
		writeFileSync(path.join(staging, 'marker'), name);
		await sleep(BEAT_MS * 5);
		if (fails) throw new Error('No network');
		did.push(`${name} ends`);
	};
	const say = (line: string): void => {
		if (/^Another start is installing n8n.*…$/.test(line)) did.push(`${name} waits`);
	};
	await installOnce({ name: 'n8n', folder, isInstalled, install }, say, BEAT_MS);
}

/** A start in a process of its own, which installs until it is ended. */
async function startElsewhere(): Promise<ChildProcess> {
	const program = `
		const { installOnce } = require('./test/host/helpers/installOnce');
		const install = async () => {
			console.log('installing');
			await new Promise((resolve) => setTimeout(resolve, 60_000));
		};
		const isInstalled = async () => false;
		void installOnce({ name: 'n8n', folder: process.argv[1], isInstalled, install }, () => {}, ${BEAT_MS});`;
	const child = spawn(process.execPath, ['--import', 'tsx', '-e', program, folder], {
		cwd: path.join(__dirname, '../..'),
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	await new Promise((resolve) => child.stdout.once('data', resolve));
	return child;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
	const exit = new Promise((resolve) => child.once('exit', resolve));
	child.kill(signal);
	await exit;
}

const installer = (): string => readFileSync(path.join(folder, 'marker'), 'utf8');

it('of two starts at once, one installs, and the other says that it waits', async () => {
	await Promise.all([start('one'), start('two')]);
	const [first, second] = installer() === 'one' ? ['one', 'two'] : ['two', 'one'];
	expect(did.sort()).toEqual([`${first} begins`, `${first} ends`, `${second} waits`].sort());
	expect(readdirSync(cache)).toEqual(['n8n']);
});

it('a start while another process installs waits, and touches nothing of it', async () => {
	const other = await startElsewhere();
	const waiting = start('second');
	await sleep(BEAT_MS * 15);
	expect(did).toEqual(['second waits']);
	const during = readdirSync(cache);
	expect(during).toEqual(['n8n.lock', expect.stringContaining('n8n.unfinished-')]);
	await ended(other, 'SIGKILL');
	await waiting;
	expect(did).toEqual(['second waits', 'second begins', 'second ends']);
	expect(readdirSync(cache)).toEqual(['n8n']);
});

it('after a start was killed, one of three takes over, and nothing of it stays', async () => {
	await ended(await startElsewhere(), 'SIGKILL');
	expect(readdirSync(cache)).toHaveLength(2);
	await Promise.all(['one', 'two', 'three'].map((name) => start(name)));
	const first = installer();
	const began = did.filter((what) => !what.endsWith('waits'));
	expect(began).toEqual([`${first} begins`, `${first} ends`]);
	expect(readdirSync(cache)).toEqual(['n8n']);
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
	'%s leaves no lock and no half of an installation',
	async (signal) => {
		await ended(await startElsewhere(), signal);
		expect(readdirSync(cache)).toEqual([]);
	},
);

it('if an installation fails, the start that waits for it tries its own', async () => {
	const failing = expect(start('first', true)).rejects.toThrow('No network');
	while (did.length === 0) await sleep(1);
	const waiting = start('second');
	await failing;
	await waiting;
	const began = did.filter((what) => !what.endsWith('waits'));
	expect(began).toEqual(['first begins', 'second begins', 'second ends']);
	expect(readdirSync(cache)).toEqual(['n8n']);
});

it('what is installed already stays as it is', async () => {
	await start('first');
	await start('second');
	expect(installer()).toBe('first');
});
