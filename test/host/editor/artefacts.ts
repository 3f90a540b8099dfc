import path from 'node:path';

/** Pictures of every step, to look at after a change of the panels; git ignores them. */
export const pictures = path.join(__dirname, '..', 'artefacts', 'editor');

/** The steps of the walk through the first campaign. */
export const walk = path.join(__dirname, '..', 'artefacts', 'walk');

/** n8n's own. */
export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const inTheme = (name: string) => (theme: Theme) => `documentation-${name}-${theme}`;

/** The names of the pictures that the documentation shows in both themes. */
export const picturesOf = {
	bulkCall: inTheme('bulk-call'),
	dryRun: inTheme('dry-run'),
	outputs: inTheme('outputs'),
	panel: inTheme('panel'),
};
