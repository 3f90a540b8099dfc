import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { pictures, picturesOf, walk } from './editor/artefacts';
import { repository } from './helpers/package';

const documentation = path.join(repository, 'docs', 'pictures');

/** The pictures of the documentation, by the names under which the tests in the editor took them. */
const published: Record<string, string> = { report: 'report' };
for (const [name, taken] of Object.entries({
	'bulk-call': picturesOf.bulkCall,
	'dry-run': picturesOf.dryRun,
	outputs: picturesOf.outputs,
	panel: picturesOf.panel,
})) {
	published[name] = taken('light');
	published[`${name}-dark`] = taken('dark');
}

const WIDTH = 800;
/** How long the film is, and how long its last step is shown, in milliseconds. */
const FILM_MS = 15_000;
const LAST_MS = 3_000;

/** The steps of the walk, in the size in which they are shown. A step that looks like the one before it is left out. */
async function steps(): Promise<Buffer[]> {
	const files = (await readdir(walk)).sort();
	const frames = await Promise.all(files.map((file) => readFile(path.join(walk, file))));
	const changed = frames.filter((frame, index) => index === 0 || !frame.equals(frames[index - 1]!));
	return await Promise.all(changed.map((frame) => sharp(frame).resize(WIDTH).png().toBuffer()));
}

async function animate(file: string): Promise<void> {
	const frames = await steps();
	// Hundredths of a second, as GIF has them.
	const stepMs = Math.floor((FILM_MS - LAST_MS) / (frames.length - 1) / 10) * 10;
	const delay = frames.map((_, index) => (index === frames.length - 1 ? LAST_MS : stepMs));
	await sharp(frames, { join: { animated: true } })
		.gif({ delay, loop: 0, colours: 64, dither: 0, interFrameMaxError: 4, effort: 10 })
		.toFile(file);
}

const printed = async (file: string) =>
	console.log(
		`${path.relative(repository, file)}, ${Math.round((await stat(file)).size / 1024)} kB`,
	);

/** The second half of `npm run docs:pictures`: takes the pictures of a run of the tests in the editor into docs/. */
async function main(): Promise<void> {
	await mkdir(documentation, { recursive: true });
	for (const [name, taken] of Object.entries(published)) {
		const file = path.join(documentation, `${name}.png`);
		await sharp(path.join(pictures, `${taken}.png`))
			.png({ palette: true, colours: 128, dither: 0, effort: 10 })
			.toFile(file);
		await printed(file);
	}
	const film = path.join(documentation, 'walk.gif');
	await animate(film);
	await printed(film);
}

main().catch((complaint: unknown) => {
	console.error(complaint);
	process.exitCode = 1;
});
