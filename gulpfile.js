const { execFile } = require('node:child_process');
const { mkdir, readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { promisify } = require('node:util');
const esbuild = require('esbuild');
const { minify } = require('terser');
const { dest, parallel, series, src } = require('gulp');
const { name, version, license, n8n } = require('./package.json');
const lock = require('./package-lock.json');

const clean = () => rm('dist', { recursive: true, force: true });

const checkTypes = () =>
	promisify(execFile)(process.execPath, [
		'node_modules/typescript7/bin/tsc',
		'-p',
		'tsconfig.json',
	]);
checkTypes.displayName = 'check types';

const SHORT_FORMS = { target: 'es2021', minifyWhitespace: true, minifySyntax: true };
const node = {
	...SHORT_FORMS,
	bundle: true,
	metafile: true,
	platform: 'node',
	logLevel: 'warning',
	logOverride: { 'commonjs-variable-in-esm': 'silent' },
};
const EXECUTE = 'nodes/OutboundCalls/execute.ts';
const COUNTRIES = 'nodes/OutboundCalls/domain/phone/countries.ts';
const NUMBERING_PLANS = 'nodes/OutboundCalls/domain/phone/numberingPlans.ts';

/** Short ones, but for classes, and exported functions that may wait: of these a stack trace is made. By how often they stand together, not each by itself: 2 kB less, packed. */
const namesIn = (text, sources) => {
	const exported = new Set(
		sources.flatMap((source) =>
			[...source.matchAll(/^export async function ([\w$]+)/gm)].map(([, name]) => name),
		),
	);
	const kept = [...text.matchAll(/\bfunction\*? ([\w$]+)\(/g)]
		.map(([, name]) => name)
		.filter((name) => exported.has(name));
	return {
		toplevel: true,
		keep_fnames: new RegExp(`^(?:${kept.join('|')})$`),
		keep_classnames: true,
	};
};

/** Functions, statements and operands stay where they are; what nothing else uses goes, and what is used once stands where it is used: 1.2 kB less, packed. */
const COMPRESS = {
	keep_fnames: true,
	keep_classnames: true,
	inline: false,
	lhs_constants: false,
	passes: 2,
	reduce_funcs: false,
	sequences: false,
	toplevel: true,
};

/** A built file exports its names as they are, without the helpers that make a module of them in each file: 0.6 kB less, packed. */
const plainExports = {
	name: 'plain exports',
	setup({ onLoad, onResolve }) {
		onResolve({ filter: /^/ }, ({ kind, path: entry }) =>
			kind === 'entry-point' ? { path: entry, namespace: 'exports' } : undefined,
		);
		onLoad({ filter: /^/, namespace: 'exports' }, async ({ path: entry }) => {
			const text = await readFile(entry, 'utf8');
			const declared = [
				...text.matchAll(/^export (?:async function|function|class|const) ([\w$]+)/gm),
			].map(([, exported]) => exported);
			const passedOn = [...text.matchAll(/^export \{ ([^}]+) \} from/gm)].flatMap(([, exported]) =>
				exported.split(', '),
			);
			const lines = text.match(/^export (?!interface|type)/gm).length;
			if (declared.length + (passedOn.length > 0 ? text.match(/^export \{/gm).length : 0) !== lines)
				throw new Error(`${entry} exports in another way`);
			const names = [...declared, ...passedOn].join(', ');
			return {
				contents: `'use strict';\nimport { ${names} } from './${entry}';\nmodule.exports = { ${names} };`,
				resolveDir: __dirname,
			};
		});
	},
};

/** Packages whose code or data went into `dist`. */
const bundled = new Set();

/** Source maps lie beside what is published, not in it: the bench tells by them where time goes. */
const SOURCE_MAPS = '.cache/sourceMaps';

const write = async (file, contents) => {
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, contents);
};

/** `built`: the files that are built, by what they are built of. */
const take = async (built, options) => {
	const { metafile, outputFiles } = await esbuild.build({
		...node,
		...options,
		entryPoints: Object.entries(built).map(([file, out]) => ({
			in: file,
			out: out.replace(/\.js$/, ''),
		})),
		outdir: '.',
		plugins: [plainExports, ...options.plugins],
		sourcemap: 'inline',
		write: false,
	});
	const ours = Object.keys(metafile.inputs).filter(
		(file) => !/node_modules\/|^exports:/.test(file) && file.endsWith('.ts'),
	);
	const sources = await Promise.all(ours.map((file) => readFile(file, 'utf8')));
	for (const { path: file, text } of outputFiles) {
		const { code, map } = await minify(text, {
			compress: COMPRESS,
			mangle: namesIn(text, sources),
			sourceMap: { content: 'inline' },
		});
		await write(file, `${code}\n`);
		await write(path.join(SOURCE_MAPS, `${path.basename(file)}.map`), map);
	}
	for (const file of Object.keys(metafile.inputs)) {
		const [, found] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
		if (found) bundled.add(found);
	}
};

/** Both the panel and a run need it, so it is a file of its own, beside theirs. */
const countriesOnce = {
	name: 'countries once',
	setup({ onResolve }) {
		onResolve({ filter: /\/countries$/ }, ({ path: imported, resolveDir }) =>
			path.join(resolveDir, `${imported}.ts`) === path.resolve(COUNTRIES)
				? { path: './domain/phone/countries', external: true }
				: undefined,
		);
	},
};

/**
 * Each node and credential is one file, with its texts and the names of exported functions that may wait as they are, but without blanks, in short forms, and with short names
 * of all else, so that 160 kB hold it: what n8n loads as it starts. What a run needs is another one, which the first execution loads.
 */
const bundle = async () => {
	const builtOf = (source) => `dist/${source.replace(/\.ts$/, '.js')}`;
	const loaded = [...n8n.nodes, ...n8n.credentials].map((file) =>
		file.replace(/^dist\/(.*)\.js$/, '$1.ts'),
	);
	await take(
		Object.fromEntries([...loaded, EXECUTE, COUNTRIES].map((source) => [source, builtOf(source)])),
		{
			external: ['n8n-workflow', './execute', './numberingPlans'],
			plugins: [countriesOnce],
			// The built files are CommonJS, as n8n loads them: import() becomes require().
			supported: { 'dynamic-import': false },
		},
	);
};

/** Full texts, because both licences ask for that: the library's own, and that of Google's data in it. Each paragraph is a line. */
const licences = async () => {
	const library = path.dirname(require.resolve('libphonenumber-js/package.json'));
	const { version } = require('libphonenumber-js/package.json');
	const paragraphs = async (file) =>
		(await readFile(path.join(library, file), 'utf8'))
			.split(/\n\s*\n/)
			.map((text) => text.trim().replace(/\s+/g, ' '));
	const zones = await readFile('nodes/OutboundCalls/domain/hours/timeZonePrefixes.ts', 'utf8');
	const [, zonesNotice] = /^\/\*!\n([^]*?)\n \*\n/.exec(zones);
	const [mit, apache] = (await Promise.all(['LICENSE', 'LICENSE.Apache'].map(paragraphs))).map(
		(texts) => texts.join('\n\n'),
	);
	return `/*!
libphonenumber-js ${version} (https://gitlab.com/catamphetamine/libphonenumber-js), bundled and minified with its data.

${mit}

${zonesNotice.replace(/^ \* /gm, '')}

Its code and its data are derived from libphonenumber (https://github.com/google/libphonenumber),
Copyright (C) The Libphonenumber Authors, under this license:

${apache}
*/`;
};

/** Where a plan says how its numbers are written with blanks: a fifth of the data, and only the library's formatting reads it. */
const FORMATS = 4;
/** From here on, it says what stands before numbers that are dialed abroad and before extensions: formatting again. */
const BEFORE_NUMBERS = 12;
/** Its kinds of numbers: a pattern each. */
const TYPES = 11;
const KINDS = 11;

/**
 * What the plans, as JSON, hold hundreds of times is one character each: 2 kB less, packed. They are shortened in this order, and a later piece may hold
 * earlier ones.
 */
const SHORT = {
	'#': '\\\\d',
	'~': '(?:',
	'!': '}","',
	'%': ',0,0',
	'@': '#{',
	'>': '[0',
	'&': '9]',
	'^': ',"',
	';': '[1',
	'=': '[2',
	'*': '>-',
	'+': '@6!',
	'/': '"^00"^00',
	_: ',0^',
	'<': '#|',
	'`': ')|',
	'.': '8]',
	b: '>1',
	f: '}|',
	j: '@5!',
	k: '@4!',
	l: '}"%',
	m: ';-',
	q: '@7!',
	w: '-&',
	x: '>2',
	y: '66|77|88)=w+',
	z: '%%',
};

/** The first country of each calling code, in the order in which the plans pack best. Any would do: it was found by moving one at a time. */
const ORDER = [
	'DJ GR AR RU MV VE KE US MX BJ CK CI IR DE UY AT LU TK SH NU WS IN FI AE AU TW ZA NZ HK SI TV KR AC SB VU KI TO CU RS IT PY BY MM TL BD',
	'PL BG AL MA NL FO SK SR PH NO PF NF AD PM RO WF AW GL NC TR BZ FJ PA GQ BW MU OM EE CN IL CD IE VN QA HR SV LR CG FK YE LB GA CW PG MO',
	'BT KW ZW IS LI MW GM GW MH IO ER GY PW CV BN ST FM NR SC KM NP SG KP CR SM HN SE GT MY GB JP PK BR EC TH PS LA EG IQ KH NA MN BO PE RW',
	'BE JO SY ME BA MC GH XK MK NG UA DZ HU CM MZ GN SZ LT MD SL TM BH DK BI MR CF NE BF ML AM TG HT MT GI TD CY TN UZ NI LS LV CZ ID SA KG',
	'CH ET CL LK FR GE LY GP GF MQ AF MG SD SS UG ZM RE TZ CO TJ AZ PT SO AO SN ES',
]
	.join(' ')
	.split(' ');

const NOTHING =
	'export default undefined; export const [chooseFormatForNumber, isPossibleNumber] = [];';

/** Modules of the library by what stands in their place: formatting, other questions about a number, tel: links, extensions, older versions of the data. */
const NEVER_ASKED = {
	format: NOTHING,
	isPossible: NOTHING,
	isValid: NOTHING,
	'helpers.getPossibleCountriesForNumber': NOTHING,
	'helpers.extractFormattedPhoneNumberFromPossibleRfc3966NumberUri':
		"export default (text, { extractFormattedPhoneNumber }) => extractFormattedPhoneNumber(text) ?? '';",
	'helpers.extension.createExtensionPattern': "export default () => '';",
	'helpers.extension.extractExtension': 'export default () => ({});',
	'tools.semver-compare': 'export default () => 1;',
};

const shortPlans = {
	name: 'numbering plans without formats',
	setup({ onLoad, onResolve }) {
		// It comes in the words of today, too, which are fewer.
		onResolve({ filter: /[\\/]es6[\\/]/ }, ({ path: imported, resolveDir }) => ({
			path: path.join(resolveDir, imported.replace(/([\\/])es6([\\/])/, '$1es6-modern$2')),
			sideEffects: false,
		}));
		// What is never asked of it goes, 2 kB packed: it reads digits of numbers in this one version of its data, and tells their kind.
		for (const [file, contents] of Object.entries(NEVER_ASKED))
			onLoad({ filter: new RegExp(`es6-modern[\\\\/]${file}\\.js$`) }, () => ({ contents }));
		onLoad({ filter: /[\\/]metadata\.max\.json\.js$/ }, async () => {
			const plans = JSON.parse(
				await readFile(require.resolve('libphonenumber-js/metadata.max.json'), 'utf8'),
			);
			for (const plan of [plans.countries, plans.nonGeographic].flatMap(Object.values)) {
				plan[FORMATS] = 0;
				plan.splice(BEFORE_NUMBERS);
				// How long the numbers of a kind are is in its pattern.
				plan[TYPES] = plan[TYPES].map((type) => type && [type[0]]);
			}
			// Which countries share a calling code is in their plans; the order of these says which one is the first: 1 kB less, packed.
			const placeOf = ([country]) => ORDER.indexOf(country);
			const ofCallingCodes = Object.values(plans.country_calling_codes).sort(
				(a, b) => placeOf(a) - placeOf(b),
			);
			plans.countries = Object.fromEntries(
				ofCallingCodes.flat().map((country) => [country, plans.countries[country]]),
			);
			delete plans.country_calling_codes;
			// What plans have in the same place is alike, so it stands together: 0.7 kB less, packed.
			const names = Object.keys(plans.countries);
			const rows = Object.values(plans.countries);
			const columns = Array.from({ length: TYPES }, (_, place) => rows.map((plan) => plan[place]));
			const kinds = Array.from({ length: KINDS }, (_, kind) =>
				rows.map((plan) => (plan[TYPES][kind] ? plan[TYPES][kind][0] : 0)),
			);
			plans.countries = [names, ...columns, ...kinds];
			const text = Object.entries(SHORT).reduce((json, [short, long]) => {
				if (json.includes(short)) throw new Error(`The plans hold ${short} themselves`);
				return json.replaceAll(long, short);
			}, JSON.stringify(plans));
			return {
				contents: `
					const pieces = Object.entries(${JSON.stringify(SHORT)}).reverse();
					const plans = JSON.parse(pieces.reduce((json, [short, long]) => json.replaceAll(short, long), ${JSON.stringify(text)}));
					const [names, ...columns] = plans.countries;
					const of = (row, from, to) => columns.slice(from, to).map((column) => column[row]);
					plans.countries = Object.fromEntries(
						names.map((name, row) => [name, [...of(row, 0, ${TYPES}), of(row, ${TYPES}).map((pattern) => pattern && [pattern])]]),
					);
					const codes = (plans.country_calling_codes = {});
					for (const [country, [code]] of Object.entries(plans.countries)) (codes[code] ??= []).push(country);
					export default plans;`,
			};
		});
	},
};

/** The one module that uses a library takes it along: the package installs nothing. It is a file of its own, loaded when it is needed. */
const bundleLibrary = async () => {
	await take(
		{ [NUMBERING_PLANS]: 'dist/nodes/OutboundCalls/numberingPlans.js' },
		{
			mainFields: ['module', 'main'],
			minify: true,
			plugins: [shortPlans],
			legalComments: 'none',
			banner: { js: await licences() },
		},
	);
};
bundleLibrary.displayName = 'bundle the library';

/** Icons, codex and output previews lie beside the code that they belong to, as n8n's loader expects. */
const assets = () =>
	src(['nodes/**/*.{svg,node.json}', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));

const component = (type, name, version, licence, more) => ({
	type,
	name,
	version,
	licenses: licence.map((id) => ({ license: { id } })),
	...more,
});

/** What a package took over from others, where its manifest does not say so. */
const TAKEN_OVER = {
	'libphonenumber-js': [
		component('data', 'libphonenumber: numbering plans', undefined, ['Apache-2.0']),
	],
};

const fromNpm = (name) => {
	const { version, license, integrity } = lock.packages[`node_modules/${name}`];
	const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
	return component('library', name, version, [license], {
		'bom-ref': purl,
		purl,
		hashes: [
			{
				alg: 'SHA-512',
				content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
			},
		],
		components: TAKEN_OVER[name],
	});
};

/** What the published files were made of, as CycloneDX: the package installs nothing, so that its manifest does not say it. */
const billOfMaterials = async () => {
	const [, zones] = /^# (?:.*) of libphonenumber ([\d.]+)/.exec(
		await readFile('test/timeZones/map_data.txt', 'utf8'),
	);
	const own = `pkg:npm/${name}@${version}`;
	const bill = {
		bomFormat: 'CycloneDX',
		specVersion: '1.6',
		version: 1,
		metadata: {
			component: component('library', name, version, [license], { 'bom-ref': own, purl: own }),
		},
		components: [
			...[...bundled].sort().map(fromNpm),
			component('data', 'libphonenumber: time zones by number', zones, ['Apache-2.0']),
		],
	};
	await writeFile('bill-of-materials.cdx.json', `${JSON.stringify(bill, undefined, '\t')}\n`);
};
billOfMaterials.displayName = 'bill of materials';

exports.default = series(
	clean,
	parallel(checkTypes, bundle, bundleLibrary, assets),
	billOfMaterials,
);
