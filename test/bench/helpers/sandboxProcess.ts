import { startSandbox } from '../../sandbox';
import { answerMessages } from './childProcess';

const started = startSandbox();

/** Forgets what was called, and says where it is. */
answerMessages(async () => {
	const sandbox = await started;
	sandbox.reset();
	return { baseUrl: sandbox.baseUrl, token: sandbox.token };
});
