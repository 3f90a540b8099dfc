const { createHash } = require('node:crypto');
const { DatabaseSync } = require('node:sqlite');

/** Makes n8n remember so many people, and nobody else. For n8n's own Node.js, which has SQLite built in. */
const [database, workflow, people] = process.argv.slice(2);
const data = Array.from({ length: Number(people) }, (_, n) =>
	createHash('md5')
		.update('somebody ' + n)
		.digest('base64'),
);
const opened = new DatabaseSync(database);
opened.exec('PRAGMA busy_timeout = 30000');
const { changes } = opened
	.prepare('UPDATE processed_data SET value = ? WHERE workflowId = ?')
	.run(JSON.stringify({ mode: 'entries', data }), workflow);
console.log(Number(changes));
