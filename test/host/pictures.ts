import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { pictures, walk } from './editor/artefacts';
import { repository } from './package';

const documentation = path.join(repository, 'docs', 'pictures');

/** The pictures of the documentation, by the names under which the tests in the editor took them. */
const published = { 'bulk-call': 'campaign-results', report: 'report' };

/** Pictures of few colors. */
const flat = ['report'];

const WIDTH = 960;
/** How long each step is shown, and how long the last one, in milliseconds. */
const STEP_MS = 700;
const LAST_MS = 5_000;

/** The steps of the walk, in the size in which they are shown. A step that looks like the one before it is left out. */
async function steps(): Promise<Buffer[]> {
	const files = (await readdir(walk)).sort();
	const frames = await Promise.all(files.map((file) => readFile(path.join(walk, file))));
	const changed = frames.filter((frame, index) => index === 0 || !frame.equals(frames[index - 1]!));
	return await Promise.all(changed.map((frame) => sharp(frame).resize(WIDTH).png().toBuffer()));
}

async function animate(file: string): Promise<void> {
	const frames = await steps();
	const delay = frames.map((_, index) => (index === frames.length - 1 ? LAST_MS : STEP_MS));
	await sharp(frames, { join: { animated: true } })
		.gif({ delay, loop: 0, colours: 64, dither: 0, interFrameMaxError: 4, effort: 10 })
		.toFile(file);
}

const printed = async (file: string) => console.log(`${path.relative(repository, file)}, ${Math.round((await stat(file)).size / 1024)} kB`);

/** The second half of `npm run docs:pictures`: takes the pictures of a run of the tests in the editor into docs/. */
async function main(): Promise<void> {
	await mkdir(documentation, { recursive: true });
	for (const [name, taken] of Object.entries(published)) {
		const file = path.join(documentation, `${name}.png`);
		if (flat.includes(taken))
			await sharp(path.join(pictures, `${taken}.png`))
				.png({ palette: true, effort: 10 })
				.toFile(file);
		else await copyFile(path.join(pictures, `${taken}.png`), file);
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
