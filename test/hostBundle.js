const { existsSync, mkdirSync, renameSync, statSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { build } = require('esbuild');

/** Where n8n's engine is installed: here, or another version of it in the folder N8N_CORE_FOLDER. */
const installed = path.join(process.env.N8N_CORE_FOLDER ?? path.join(__dirname, '..'), 'node_modules');
const folder = path.join(installed, '.cache', 'hostBundle');
const bundle = path.join(folder, 'bundle.js');
const PACKAGES = ['n8n-core', 'n8n-workflow', 'reflect-metadata'];

/**
 * n8n's engine as it is installed, in one file. Jest gives each test file an engine of its own, and to find and compile its 2,600
 * files each time takes more than two seconds, about as long as the tests of an average file.
 */
module.exports = async () => {
	const changed = statSync(path.join(installed, '.package-lock.json')).mtimeMs;
	if (existsSync(bundle) && statSync(bundle).mtimeMs > changed) return;
	const { outputFiles } = await build({
		stdin: {
			contents: PACKAGES.map((name) => `exports[${JSON.stringify(name)}] = () => require(${JSON.stringify(name)});`).join('\n'),
			resolveDir: installed,
		},
		bundle: true,
		platform: 'node',
		target: 'node20',
		format: 'cjs',
		outfile: bundle,
		external: ['*.node', 'isolated-vm'],
		minifyWhitespace: true,
		minifySyntax: true,
		write: false,
		logLevel: 'error',
	});
	mkdirSync(folder, { recursive: true });
	for (const name of PACKAGES) {
		writeFileSync(path.join(folder, `${name}.js`), `module.exports = require('./bundle')[${JSON.stringify(name)}]();\n`);
	}
	// Whole or not at all: other tests may start meanwhile.
	const whole = path.join(folder, `${process.pid}.js`);
	writeFileSync(whole, outputFiles[0].text);
	renameSync(whole, bundle);
};

/** The packages that are in it. */
module.exports.moduleNameMapper = { [`^(${PACKAGES.join('|')})$`]: path.join(folder, '$1.js') };
