const { DatabaseSync } = require('node:sqlite');

/** Prints what n8n remembers for a workflow. For n8n's own Node.js, which has SQLite built in. */
const [database, workflow] = process.argv.slice(2);
const opened = new DatabaseSync(database, { readOnly: true });
process.stdout.write(
	opened.prepare('SELECT value FROM processed_data WHERE workflowId = ?').get(workflow).value,
);
