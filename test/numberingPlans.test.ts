import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import metadata from 'libphonenumber-js/metadata.max.json';
import { version } from 'libphonenumber-js/package.json';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { mersenne } from 'pure-rand/generator/mersenne';
import { regionOf } from '../nodes/OutboundCalls/domain/phone/countries';
import * as NumberingPlans from '../nodes/OutboundCalls/domain/phone/numberingPlans';
import { readPhoneNumber } from '../nodes/OutboundCalls/domain/phone/phone';
import { WRITTEN_FORMS } from './unit/domain/phone/writtenForms';

/** The library that the build bundles. Everything else about it is tested in the sources (`test/unit/domain/`). */

const built = join(__dirname, '../dist/nodes/OutboundCalls');
const bundle = join(built, 'numberingPlans.js');

/** The sources beside the library as it was built, which the built node holds in the same way. */
const folder = mkdtempSync(join(tmpdir(), 'outbound-calls-plans-'));
beforeAll(async () => {
	const phone = '../nodes/OutboundCalls/domain/phone';
	await build({
		stdin: {
			contents: `export * from '${phone}/phone'; export * from '${phone}/countries';`,
			resolveDir: __dirname,
		},
		outfile: join(folder, 'cleaning.js'),
		bundle: true,
		platform: 'node',
		external: ['./numberingPlans'],
	});
	symlinkSync(bundle, join(folder, 'numberingPlans.js'));
});
afterAll(() => {
	rmSync(folder, { recursive: true });
});

/** What a new process prints, in which the built node has been loaded as n8n loads it. */
const inNewProcess = (script: string): unknown => {
	const before = `
		require('n8n-workflow');
		const { OutboundCalls } = require(${JSON.stringify(join(built, 'OutboundCalls.node.js'))});
		new OutboundCalls();
		const { readPhoneNumber, regionOf } = require(${JSON.stringify(join(folder, 'cleaning.js'))});
		const isLoaded = () => ${JSON.stringify(bundle)} in require.cache;
	`;
	const run = `${before} process.stdout.write(JSON.stringify((() => { ${script} })()));`;
	return JSON.parse(
		execFileSync(process.execPath, ['-e', run], { cwd: __dirname, encoding: 'utf8' }),
	);
};

describe('the bundled numbering plans', () => {
	it('need no other module', () => {
		expect(
			readFileSync(bundle, 'utf8').match(/\brequire\s*\(|\bimport\b(?=\s*[({"'])/g),
		).toBeNull();
	});

	it('come with their version and with the full texts of both licences', () => {
		const words = (file: string): string => readFileSync(file, 'utf8').replace(/\s+/g, ' ').trim();
		const file = words(bundle);
		expect(file).toContain(`libphonenumber-js ${version}`);
		expect(file).toContain('The Libphonenumber Authors');
		expect(file).toContain('Time zones by number. Made from resources/timezones/map_data.txt');
		for (const licence of ['LICENSE', 'LICENSE.Apache']) {
			expect(file).toContain(words(join(__dirname, '../node_modules/libphonenumber-js', licence)));
		}
	});

	it('read numbers without + as the whole library does, in all countries', () => {
		const random = mersenne(20_261_122);
		const cases = Object.keys(WRITTEN_FORMS).flatMap((iso) =>
			Array.from({ length: 250 }, () => {
				const digits = Array.from({ length: uniformInt(random, 6, 12) }, () =>
					uniformInt(random, 0, 9),
				).join('');
				return [digits, regionOf(iso)!] as const;
			}),
		);
		const plans = jest.requireActual<typeof NumberingPlans>(bundle);
		const read = cases.map(([digits, region]) => plans.readNumber(digits, region));
		expect(read.filter((number) => number?.isValid).length).toBeGreaterThan(1_000);
		expect(read).toEqual(
			cases.map(([digits, region]) => NumberingPlans.readNumber(digits, region)),
		);
	});

	it('lose nothing with the lengths of each kind of numbers: its pattern matches no others that the country has', () => {
		const { countries, nonGeographic } = metadata as unknown as Record<
			string,
			Record<string, unknown[]>
		>;
		const kinds = Object.entries({ ...countries, ...nonGeographic }).flatMap(([country, plan]) =>
			(plan[11] as Array<[string, number[]?] | 0>).flatMap((kind) =>
				kind && kind[0] !== '' && kind[1] ? [{ country, plan, kind }] : [],
			),
		);
		expect(kinds.length).toBeGreaterThan(600);
		const others = kinds.flatMap(({ country, plan, kind: [pattern, lengths] }) =>
			fc
				.sample(fc.stringMatching(new RegExp(`^(?:${pattern.replaceAll('\\d', '[0-9]')})$`)), {
					numRuns: 100,
					seed: 20_261_123,
				})
				.filter(
					({ length }) => (plan[3] as number[]).includes(length) && !lengths!.includes(length),
				)
				.map((number) => `${country} ${number}`),
		);
		expect(others).toEqual([]);
	});

	it('are loaded by the first number, and by nothing before', () => {
		const script = `
			const states = [isLoaded()];
			for (const value of ['Ada', '15.01.2024', '0171 2345678', 1712345678, '', null]) readPhoneNumber(value);
			states.push(isLoaded());
			readPhoneNumber('+491712345678');
			return [...states, isLoaded()];
		`;
		expect(inNewProcess(script)).toEqual([false, false, true]);
	});

	it('read as the sources do', () => {
		const cells = Object.entries(WRITTEN_FORMS).flatMap(([iso, forms]) =>
			['DE', iso].flatMap((country) => forms.map((form) => [form, country] as const)),
		);
		const script = `return ${JSON.stringify(cells)}.map(([form, country]) => readPhoneNumber(form, regionOf(country)));`;
		expect(inNewProcess(script)).toEqual(
			cells.map(([form, country]) =>
				JSON.parse(JSON.stringify(readPhoneNumber(form, regionOf(country)))),
			),
		);
	});
});
