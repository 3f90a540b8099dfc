import { buildingACampaign } from './editor/campaign';
import { draggingColumns } from './editor/columns';
import { makingACredential } from './editor/credential';
import { picturesOfTheDocumentation } from './editor/documentation';
import { editorBench } from './editor/editorBench';
import { retryAndStop } from './editor/executions';
import { executingForTheFirstTime } from './editor/firstExecution';
import { lookingAtPanels } from './editor/panels';
import { reading, settings } from './editor/refusals';
import { lookingAtTheReport } from './editor/report';
import { callingAtTheRightTime } from './editor/rightToCall';
import { searching } from './editor/search';

/** What a person sees and does in n8n's own editor, in a browser. One n8n for all of it. */
const bench = editorBench();

// First, while there is one credential: n8n then chooses it, as it does for a new user.
buildingACampaign(bench);
picturesOfTheDocumentation(bench);
executingForTheFirstTime(bench);
searching(bench);
makingACredential(bench);
draggingColumns(bench);
reading(bench);
settings(bench);
callingAtTheRightTime(bench);
retryAndStop(bench);
lookingAtPanels(bench);
lookingAtTheReport(bench);
