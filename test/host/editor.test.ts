import { editorBench } from './editor/editorBench';
import { buttons } from './editor/buttons';
import { examplesInEditor } from './editor/examples';
import { firstCampaign } from './editor/firstCampaign';
import { panels } from './editor/panels';
import { readingResults } from './editor/readingResults';

/** What a person sees and does in n8n's own editor, in a browser. One n8n for all of it. */
const bench = editorBench();

// First, while there is one credential: n8n then chooses it, as it does for a new user.
firstCampaign(bench);
panels(bench);
readingResults(bench);
buttons(bench);
examplesInEditor(bench);
