import fastify from 'fastify';
import type { AddressInfo } from 'node:net';

/** One thing that the model does: it asks for a tool, or it answers the person. */
type Move = { tool: string; arguments: object } | { says: string };

interface CompletionRequest {
	messages: Array<{ role: string; content: unknown }>;
	stream?: boolean;
}

export interface ToolModel {
	/** For the credential of n8n's OpenAI nodes. */
	url: string;
	/** What each tool call returned, in order, as the model read it. */
	readonly answers: string[];
	close(): Promise<void>;
}

/** A stand-in for OpenAI's chat completions that plays a fixed part: its next move, once it has read so many answers. */
export async function startToolModel(part: Move[]): Promise<ToolModel> {
	const app = fastify({ bodyLimit: 10 * 1024 * 1024 });
	let answers: string[] = [];

	app.post<{ Body: CompletionRequest }>('/v1/chat/completions', ({ body }, reply) => {
		// What was said before is in the agent's memory.
		const since = body.messages.findLastIndex(({ role }) => role === 'user');
		answers = body.messages
			.slice(since)
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
		const index = answers.length;
		const move = part[index] ?? { says: 'There is nothing more to do.' };
		const asked = 'tool' in move && { name: move.tool, arguments: JSON.stringify(move.arguments) };
		const message = asked
			? {
					role: 'assistant',
					content: null,
					tool_calls: [{ index: 0, id: `call_${index}`, type: 'function', function: asked }],
				}
			: { role: 'assistant', content: 'says' in move ? move.says : '' };
		const choice = { index: 0, finish_reason: asked ? 'tool_calls' : 'stop' };
		const completion = {
			id: `chatcmpl-${index}`,
			created: 0,
			model: 'stand-in',
			object: body.stream ? 'chat.completion.chunk' : 'chat.completion',
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			choices: [{ ...choice, [body.stream ? 'delta' : 'message']: message }],
		};
		if (!body.stream) return reply.send(completion);
		return reply
			.type('text/event-stream')
			.send(`data: ${JSON.stringify(completion)}\n\ndata: [DONE]\n\n`);
	});

	await app.listen({ host: '127.0.0.1', port: 0 });
	return {
		url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1`,
		get answers() {
			return answers;
		},
		close: () => app.close(),
	};
}
