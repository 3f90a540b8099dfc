import { fork, type ChildProcess } from 'node:child_process';

interface Reply {
	id: number;
	value?: unknown;
	thrown?: string;
}

/** A script in a process of its own, which answers one message after the other. */
export class Child {
	private readonly process: ChildProcess;
	private readonly waiting = new Map<
		number,
		{ resolve: (value: unknown) => void; reject: (error: Error) => void }
	>();
	private lastId = 0;

	/** `node` is the Node.js program that runs it. */
	constructor(
		script: string,
		node: string,
		{ flags = [], env = {} }: { flags?: string[]; env?: Record<string, string> } = {},
	) {
		this.process = fork(script, [], {
			execPath: node,
			execArgv: [...flags, '--import', require.resolve('tsx')],
			env: { ...process.env, ...env, NODE_OPTIONS: '' },
			serialization: 'advanced',
		});
		this.process.on('message', ({ id, value, thrown }: Reply) => {
			const asked = this.waiting.get(id);
			this.waiting.delete(id);
			if (thrown === undefined) asked?.resolve(value);
			else asked?.reject(new Error(thrown));
		});
		this.process.on('exit', (status) => {
			for (const { reject } of this.waiting.values())
				reject(new Error(`${script} ended with status ${String(status)}`));
		});
	}

	async ask(task: unknown): Promise<unknown> {
		const id = ++this.lastId;
		return await new Promise((resolve, reject) => {
			this.waiting.set(id, { resolve, reject });
			this.process.send({ id, task });
		});
	}

	end(): void {
		this.process.kill();
	}
}

/** The other end: answers each message with what `work` makes of it. */
export function answerMessages(work: (task: never) => Promise<unknown>): void {
	process.on('message', ({ id, task }: { id: number; task: never }) => {
		work(task).then(
			(value) => process.send!({ id, value } satisfies Reply),
			(error: unknown) =>
				process.send!({
					id,
					thrown: error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error),
				} satisfies Reply),
		);
	});
	process.on('disconnect', () => process.exit());
}
