/** The part of n8n's verification scan that works on a folder; the package has no types of its own. */
declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	export const SOURCE_FILE_PATTERNS: string[];
	export function analyzePackage(
		folder: string,
		patterns?: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}

/** n8n's older rules; the package has no types of its own. */
declare module 'eslint-plugin-n8n-nodes-base' {
	import type { ESLint, Linter } from 'eslint';
	const plugin: ESLint.Plugin & {
		configs: Record<'community' | 'credentials' | 'nodes', { rules: Linter.RulesRecord }>;
	};
	export default plugin;
}
