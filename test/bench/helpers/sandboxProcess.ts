import { startSandbox } from '../../sandbox';
import { answerMessages } from './childProcess';
import type { Fault } from './messages';

const started = startSandbox();

/** Forgets what was called, and says where it is. */
answerMessages(async (fault: Fault) => {
	const sandbox = await started;
	sandbox.reset();
	if (fault) sandbox.fault(fault);
	return { baseUrl: sandbox.baseUrl, token: sandbox.token };
});
