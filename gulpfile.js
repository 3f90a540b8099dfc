const { execFile } = require('node:child_process');
const { readFile, rm } = require('node:fs/promises');
const path = require('node:path');
const { promisify } = require('node:util');
const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

const clean = () => rm('dist', { recursive: true, force: true });

const compile = () => promisify(execFile)(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.json']);
compile.displayName = 'compile';

/** Icons, codex and output previews lie beside the code that they belong to, as n8n's loader expects. */
const assets = () =>
	src(['nodes/**/*.{svg,node.json}', 'nodes/**/__schema__/**/*.json', 'credentials/**/*.svg'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));

/** Full texts, because both licences ask for that: the library's own, and that of Google's data in it. */
const licences = async () => {
	const library = path.dirname(require.resolve('libphonenumber-js/package.json'));
	const { version } = require('libphonenumber-js/package.json');
	const [mit, apache] = await Promise.all(['LICENSE', 'LICENSE.Apache'].map((file) => readFile(path.join(library, file), 'utf8')));
	return `/*!
libphonenumber-js ${version} (https://gitlab.com/catamphetamine/libphonenumber-js), bundled and minified with its data.

${mit}

Its code and its data are derived from libphonenumber (https://github.com/google/libphonenumber),
Copyright (C) The Libphonenumber Authors, under this license:

${apache}
*/`;
};

/** The one module that uses a library takes it along into `dist/`: the package installs nothing. */
const bundle = async () => {
	const module = 'nodes/OutboundCalls/domain/numberingPlans';
	await esbuild.build({
		entryPoints: [`${module}.ts`],
		outfile: `dist/${module}.js`,
		allowOverwrite: true,
		bundle: true,
		format: 'cjs',
		platform: 'node',
		mainFields: ['module', 'main'],
		target: 'node20',
		minify: true,
		legalComments: 'none',
		banner: { js: await licences() },
	});
};
bundle.displayName = 'bundle';

exports.default = series(clean, parallel(compile, assets), bundle);
