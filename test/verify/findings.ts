import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Manifest {
	repository?: { url?: string };
	n8n?: { nodes?: string[]; credentials?: string[] };
}

/**
 * What n8n's verification scan says about the packed package, as sentences or lines of its report; empty when
 * it passes. The scan itself is used, in the version that n8n publishes, with inline disables ignored.
 */
export async function packageFindings(folder: string): Promise<string[]> {
	const { analyzePackage } = await import('@n8n/scan-community-package/scanner/scanner.mjs');
	return [
		...missingParts(folder),
		...report(folder, await analyzePackage(folder, ['**/*.js', 'package.json'])),
	];
}

/** The same for the sources: n8n scans the commit that the package was published from, too. */
export async function sourceFindings(folder: string): Promise<string[]> {
	const { analyzePackage, SOURCE_FILE_PATTERNS } =
		await import('@n8n/scan-community-package/scanner/scanner.mjs');
	return report(folder, await analyzePackage(folder, SOURCE_FILE_PATTERNS));
}

/** A scan of nothing passes, so the parts that it scans must be there. */
function missingParts(folder: string): string[] {
	const { repository, n8n } = JSON.parse(
		readFileSync(path.join(folder, 'package.json'), 'utf8'),
	) as Manifest;
	const loaded = [...(n8n?.nodes ?? []), ...(n8n?.credentials ?? [])];
	const missing = ['README.md', 'LICENSE', ...loaded].filter(
		(file) => !existsSync(path.join(folder, file)),
	);
	return [
		...missing.map((file) => `${file} is not in the package.`),
		...(loaded.length > 0 ? [] : ['package.json names no node and no credential for n8n to load.']),
		// The scan reads the source there, and knows no other host.
		...(repository?.url?.startsWith('git+https://github.com/')
			? []
			: ['package.json names no repository on GitHub.']),
	];
}

function report(
	folder: string,
	{ passed, message, details }: { passed: boolean; message?: string; details?: string },
): string[] {
	if (passed) return [];
	const lines = details?.replaceAll(`${folder}${path.sep}`, '').split('\n') ?? [
		message ?? 'The scan ended without a result.',
	];
	return lines.filter((line) => line.trim() !== '');
}
