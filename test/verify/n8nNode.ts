import path from 'node:path';
import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { ESLint } from 'eslint';
import { defineConfig } from 'eslint/config';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const { recommended } = n8nCommunityNodesPlugin.configs;
const { community, credentials, nodes } = nodesBase.configs;
const plugins = { 'n8n-nodes-base': nodesBase };

/**
 * What `n8n-node lint` (@n8n/node-cli 0.48.3) asks for, rule by rule: the program itself takes no configuration but
 * its own. Its rules on imports are left out, because the compiler answers their questions.
 */
const rules = defineConfig(
	{
		files: ['**/*.ts'],
		extends: [js.configs.recommended, tseslint.configs.recommended, recommended],
		rules: { 'prefer-spread': 'off', 'no-console': 'error' },
	},
	{
		files: ['package.json'],
		extends: [recommended],
		plugins,
		rules: community.rules,
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
	},
	{
		files: ['credentials/**/*.ts'],
		plugins,
		rules: {
			...credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		plugins,
		rules: {
			...nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
);

/** What is found in the sources of a package, one line each; empty when there is nothing. Comments that switch a rule off count for nothing. */
export async function n8nNodeFindings(folder: string): Promise<string[]> {
	const lint = new ESLint({
		cwd: folder,
		overrideConfigFile: true,
		overrideConfig: rules,
		allowInlineConfig: false,
		errorOnUnmatchedPattern: false,
	});
	const results = await lint.lintFiles(['package.json', 'nodes/**/*.ts', 'credentials/**/*.ts']);
	return results.flatMap(({ filePath, messages }) =>
		messages.map(
			({ line, ruleId, message }) =>
				`${path.relative(folder, filePath)}:${line} ${ruleId ?? ''} ${message}`,
		),
	);
}
