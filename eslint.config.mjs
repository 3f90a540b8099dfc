import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

/** A legacy preset of the older plugin as flat configuration. */
const nodesBasePreset = (name, files) => ({
	files,
	plugins: { 'n8n-nodes-base': nodesBase },
	rules: nodesBase.configs[name].rules,
});

/** The folders of the node, from the top down: each imports only from itself and from those below it. */
const rooms = [
	'operations',
	'fields',
	'placement',
	'results',
	'input',
	'memory',
	'calls',
	'http',
	'execution',
	'domain',
];

const sizes = {
	files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	// A table of the panel's fields.
	ignores: ['nodes/OutboundCalls/domain/panelDefaults.ts'],
	rules: {
		'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }],
		'max-lines-per-function': ['error', { max: 60 }],
		'max-depth': ['error', 3],
	},
};

/** Who speaks to n8n. All others speak of values and of the interfaces that `execution` makes. */
const borderRooms = ['operations', 'fields', 'execution'];
/** What n8n's request helper takes. */
const borderFiles = ['nodes/OutboundCalls/http/client.ts'];

const importsOf = (room, files, speaksToN8n) => ({
	files,
	rules: {
		'no-restricted-imports': [
			'error',
			{
				patterns: [
					{
						group: [
							...rooms.slice(0, rooms.indexOf(room)).map((above) => `**/${above}/**`),
							...(speaksToN8n ? [] : ['n8n-*']),
						],
						message: `Imports point downwards: ${rooms.join(' → ')}. Only ${borderRooms.join(', ')} and http/client.ts speak to n8n.`,
					},
				],
			},
		],
	},
});

const downwardsOnly = [
	...rooms
		.slice(1)
		.map((room) =>
			importsOf(room, [`nodes/OutboundCalls/${room}/**/*.ts`], borderRooms.includes(room)),
		),
	importsOf('http', borderFiles, true),
];

const packageJson = ['package.json'];
const nodes = ['nodes/**/*.ts'];
const credentials = ['credentials/**/*.ts'];
const published = [...packageJson, ...nodes, ...credentials];

export default tseslint.config(
	{ ignores: ['dist/', 'node_modules/', '.cache/'] },
	{
		files: packageJson,
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
	},
	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.strictTypeChecked],
		languageOptions: {
			parserOptions: { project: './tsconfig.test.json', tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			// Positions that the code has just made sure of.
			'@typescript-eslint/no-non-null-assertion': 'off',
			'@typescript-eslint/no-confusing-void-expression': 'off',
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
			],
		},
	},
	{
		// It loads the numbering plans in the middle of its work, when a number needs them.
		files: ['nodes/OutboundCalls/domain/phone/phone.ts'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
	{
		// Parsed JSON and jest's matchers are untyped by nature; what they hold is what the tests assert.
		files: ['test/**/*.test.ts'],
		rules: {
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-unsafe-member-access': 'off',
			'@typescript-eslint/no-unsafe-argument': 'off',
			'@typescript-eslint/no-unsafe-call': 'off',
			'@typescript-eslint/no-unsafe-return': 'off',
		},
	},
	{ ...n8nCommunityNodesPlugin.configs.recommended, files: published },
	nodesBasePreset('community', packageJson),
	nodesBasePreset('nodes', nodes),
	nodesBasePreset('credentials', credentials),
	...downwardsOnly,
	sizes,
	{
		// What strangers wrote becomes text or numbers in one module.
		files: [...nodes, ...credentials],
		ignores: ['nodes/OutboundCalls/domain/values/untrustedValues.ts'],
		rules: {
			'no-restricted-syntax': [
				'error',
				...['String', 'Number', 'parseInt', 'parseFloat'].map((name) => ({
					selector: `CallExpression[callee.name='${name}']`,
					message: 'Use textOf, typedText, numberOf or idText of domain/values/untrustedValues.ts.',
				})),
				{
					selector: "CallExpression[callee.property.name='toString'][arguments.length=0]",
					message: 'Use textOf of domain/values/untrustedValues.ts.',
				},
			],
		},
	},
	{
		// n8n's scan ignores comments that switch a rule off, and allows no console.
		files: [...nodes, ...credentials],
		linterOptions: { noInlineConfig: true },
		rules: { 'no-console': 'error' },
	},
	{
		// These contradict the newer plugin, which asks for NodeConnectionTypes, and would make the link to
		// our documentation one to docs.n8n.io; n8n's own verification scan turns them off too.
		files: published,
		rules: {
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
);
