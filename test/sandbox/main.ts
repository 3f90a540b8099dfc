import { HELP, readCommandLine } from './commandLine';
import { startSandbox } from './index';

async function main(): Promise<void> {
	const { help, options, faults, outcomes } = readCommandLine(process.argv.slice(2));
	if (help) {
		console.log(HELP);
		return;
	}
	const sandbox = await startSandbox({ ...options, log: (line) => console.log(line) });
	for (const rule of faults) sandbox.fault(rule);
	for (const [phone, outcome] of outcomes) sandbox.destinationOutcome.set(phone, outcome);

	console.log(`Sandbox listening at ${sandbox.baseUrl}`);
	console.log(`Token: ${sandbox.token}`);
	for (const { sipId, number, name, placeholders } of sandbox.settings.agents) {
		const needs = placeholders.length > 0 ? `, prompt variables ${placeholders.join(', ')}` : '';
		const caller = sipId ? `, caller number ${sandbox.settings.callerNumbers.join(' or ')}` : '';
		console.log(`Agent ${sipId ?? number} (${name}${needs}${caller})`);
	}
	console.log(`Journal: ${sandbox.origin}/sandbox/journal`);

	for (const signal of ['SIGINT', 'SIGTERM'] as const)
		process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
}

main().catch((error: unknown) => {
	console.error(
		`${error instanceof Error ? error.message : String(error)}\nAll options: npm run sandbox -- --help`,
	);
	process.exitCode = 1;
});
