import path from 'node:path';

/** Pictures of every step, to look at after a change of the panels; git ignores them. */
export const pictures = path.join(__dirname, '..', 'artefacts', 'editor');

/** The steps of the walk through the first campaign. */
export const walk = path.join(__dirname, '..', 'artefacts', 'walk');
