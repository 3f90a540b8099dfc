const { readFile, rm } = require('node:fs/promises');
const path = require('node:path');
const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const { n8n } = require('./package.json');

/** CommonJS, as n8n loads it: import() becomes require(). Names and statements stay as they are written. */
const options = {
	bundle: true,
	platform: 'node',
	format: 'cjs',
	target: 'node20',
	charset: 'utf8',
	supported: { 'dynamic-import': false },
	logLevel: 'warning',
};

const clean = () => rm('dist', { recursive: true, force: true });

/**
 * One readable file for each node and credential, which n8n loads when it starts, and one for what runs,
 * which the first execution loads. The library is loaded by the first phone number.
 */
const bundle = () => {
	const loaded = [...n8n.nodes, ...n8n.credentials].map((file) =>
		file.replace(/^dist\/(.*)\.js$/, '$1.ts'),
	);
	return esbuild.build({
		...options,
		entryPoints: [...loaded, 'nodes/OutboundCalls/execute.ts'],
		outbase: '.',
		outdir: 'dist',
		external: ['n8n-workflow', './execute', './libphonenumber'],
	});
};

/** Both licenses ask for their full text: the library's own, and that of Google's data in it. */
const licenses = async () => {
	const { version } = require('libphonenumber-js/package.json');
	const folder = path.dirname(require.resolve('libphonenumber-js/package.json'));
	const [mit, apache] = await Promise.all(
		['LICENSE', 'LICENSE.Apache'].map((file) => readFile(path.join(folder, file), 'utf8')),
	);
	return `/*!
libphonenumber-js ${version} (https://gitlab.com/catamphetamine/libphonenumber-js), bundled and minified.

${mit}

Its code and data are derived from libphonenumber (https://github.com/google/libphonenumber),
Copyright (C) The Libphonenumber Authors, under this license:

${apache}
*/`;
};

/** The library compiles a pattern for each number that it tests. Kept patterns halve the time that a number takes. */
const keepPatterns = {
	name: 'keep patterns',
	setup: ({ onLoad }) =>
		onLoad({ filter: /[\\/]es6[\\/]helpers[\\/]matchesEntirely\.js$/ }, () => ({
			contents: `
				const patterns = new Map();
				export default function matchesEntirely(text, source) {
					if (!patterns.has(source)) patterns.set(source, new RegExp('^(?:' + source + ')$'));
					return patterns.get(source).test(text || '');
				}`,
		})),
};

/** The only library of the package, which installs nothing. */
const bundleLibrary = async () =>
	esbuild.build({
		...options,
		entryPoints: ['nodes/OutboundCalls/domain/phone/libphonenumber.ts'],
		outfile: 'dist/nodes/OutboundCalls/libphonenumber.js',
		plugins: [keepPatterns],
		minify: true,
		legalComments: 'none',
		banner: { js: await licenses() },
	});
bundleLibrary.displayName = 'bundle the library';

/** Icons, codex and output previews lie next to the code, as n8n's loader expects. */
const assets = () =>
	src(['nodes/**/*.{svg,node.json}', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));

exports.default = series(clean, parallel(bundle, bundleLibrary, assets));
