import fastify from 'fastify';
import type { AddressInfo } from 'node:net';

interface ToolCall {
	tool: string;
	arguments: object;
}

/** One thing that the model does: it asks for a tool, or for several at once, or it answers the person. */
export type Move = ToolCall | ToolCall[] | { says: string };

/** What the model does next, from the answers of the tools that it has asked for so far, and from what people and itself have said. */
export type NextMove = (answers: string[], said: string[]) => Move;

interface Message {
	role: string;
	content: unknown;
}

interface CompletionRequest {
	messages: Message[];
	stream?: boolean;
	tools?: Array<{
		function: {
			name: string;
			description: string;
			parameters: { properties?: object; required?: string[] };
		};
	}>;
}

export interface ToolModel {
	/** For the credential of n8n's OpenAI nodes. */
	url: string;
	/** The tools that the agent offered in its last request. */
	readonly tools: NonNullable<CompletionRequest['tools']>;
	/** What each tool call returned, in order, as the model read it. */
	readonly answers: string[];
	close(): Promise<void>;
}

const text = (content: unknown): string =>
	typeof content === 'string' ? content : JSON.stringify(content);

/** A stand-in for OpenAI's chat completions that plays a fixed part, one move for each request. */
export async function startToolModel(part: NextMove[]): Promise<ToolModel> {
	const app = fastify({ bodyLimit: 10 * 1024 * 1024 });
	let tools: ToolModel['tools'] = [];
	let answers: string[] = [];

	app.post<{ Body: CompletionRequest }>('/v1/chat/completions', (request, reply) => {
		tools = request.body.tools ?? [];
		answers = request.body.messages
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => text(content));
		const said = request.body.messages
			.filter(({ role }) => ['user', 'assistant'].includes(role))
			.map(({ content }) => text(content ?? ''));
		const next = part[answers.length];
		const move = next ? next(answers, said) : { says: 'There is nothing more to do.' };
		const asked = 'says' in move ? [] : [move].flat();
		const message =
			'says' in move
				? { role: 'assistant', content: move.says }
				: {
						role: 'assistant',
						content: null,
						tool_calls: asked.map(({ tool, arguments: given }, n) => ({
							index: n,
							id: `call_${answers.length + n}`,
							type: 'function',
							function: { name: tool, arguments: JSON.stringify(given) },
						})),
					};
		const completion = {
			id: `chatcmpl-${answers.length}`,
			created: 0,
			model: 'stand-in',
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
		const finish_reason = asked.length > 0 ? 'tool_calls' : 'stop';
		if (!request.body.stream)
			return reply.send({
				...completion,
				object: 'chat.completion',
				choices: [{ index: 0, finish_reason, message }],
			});
		// All in one piece.
		const chunk = {
			...completion,
			object: 'chat.completion.chunk',
			choices: [{ index: 0, finish_reason, delta: message }],
		};
		return reply
			.type('text/event-stream')
			.send(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
	});

	await app.listen({ host: '127.0.0.1', port: 0 });
	return {
		url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1`,
		get tools() {
			return tools;
		},
		get answers() {
			return answers;
		},
		close: () => app.close(),
	};
}
