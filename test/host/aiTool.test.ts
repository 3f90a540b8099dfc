import fastify from 'fastify';
import type { INode } from 'n8n-workflow';
import type { AddressInfo } from 'node:net';
import { NEVER, SPECIAL } from '../unit/domain/phone/specialNumbers';
import { node } from '../workflowNode';
import { startToolModel, type Move, type NextMove, type ToolModel } from './helpers/aiToolModel';
import type { SavedCredential, SavedWorkflow } from './helpers/client';
import { importExample, postJson, webhookUrl } from './helpers/exampleBench';
import { hostBench, TOKEN, until } from './helpers/hostBench';
import { placesWithTheToken } from './helpers/leaks';

const bench = hostBench();

const FIRST = '+15550108001';
const SECOND = '+15550108002';
const UNKNOWN_BATCH = '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e';
/** The model that played the agent's part, for each version of the agent. */
const models: ToolModel[] = [];
const ada = { name: 'Ada', amount: '12.50' };

/** A tool's answer as the model reads it: JSON text of the rows that came out. */
const rowOf = (answer = '[]') =>
	(JSON.parse(answer) as Array<{ batch_id: string; consent_id: number }>)[0]!;

const asks =
	(tool: string, args: (answers: string[]) => object): NextMove =>
	(answers): Move => ({ tool, arguments: args(answers) });

/** Calls two people, follows the first call, cancels the second, and then asks for something that is not possible. */
const part: NextMove[] = [
	asks('Place_call', () => ({ destination: FIRST, prompt_variables: ada })),
	asks('Get_call', ([placed]) => ({
		batch_id: rowOf(placed).batch_id,
		consent_id: String(rowOf(placed).consent_id),
	})),
	asks('Place_call', () => ({
		destination: SECOND,
		prompt_variables: { name: 'Bob', amount: '7' },
	})),
	asks('Cancel_call', (answers) => ({ consent_id: String(rowOf(answers[2]).consent_id) })),
	asks('Cancel_call', ([placed]) => ({ consent_id: String(rowOf(placed).consent_id) })),
	asks('Place_call', () => ({ destination: '0171 2345678', prompt_variables: ada })),
	asks('Place_call', () => ({ destination: '+15550108003', prompt_variables: { name: 'Cleo' } })),
	asks('Get_call', () => ({ batch_id: UNKNOWN_BATCH, consent_id: '1001' })),
	asks('Place_call', () => ({ destination: FIRST, prompt_variables: ada })),
	() => ({ says: 'I called Ada, and took the call to Bob back.' }),
];

const setToLive = ({ parameters }: INode): void => {
	parameters.mode = 'live';
};

/** More than the example allows for one message: for the long part that is played here. */
const manyRounds = 20;

/** One that wants to call somebody, for the message that a person writes in a dry run. */
const rehearsal: NextMove[] = [
	asks('Place_call', () => ({ destination: FIRST, prompt_variables: ada })),
	() => ({ says: 'Nobody was called.' }),
];

const placeCallOf = ({ nodes }: SavedWorkflow): INode =>
	nodes.find(({ name }) => name === 'Place call')!;

/** An OpenAI credential that leads to this model. */
const leadingTo = async ({ url }: ToolModel): Promise<SavedCredential> =>
	await bench.stage.client.createCredential({
		name: 'OpenAI stand-in',
		type: 'openAiApi',
		data: { apiKey: 'none', url, header: false },
	});

/**
 * The example, active, with this model behind its agent; what comes back asks the agent and gives its answer. Before it goes live,
 * somebody has written a message while it was in a dry run.
 */
async function agent(
	model: ToolModel,
	version: number,
	name: string,
	change: (placeCall: INode, workflow: SavedWorkflow) => void,
	rounds?: number,
) {
	const { client } = bench.stage;
	const workflow = await importExample(bench, 'ai-agent-that-calls.workflow.json', {
		credentials: [await leadingTo(model)],
		changes: { 'When chat message received': { public: true } },
	});
	// They are called at whatever hour it is.
	delete (placeCallOf(workflow).parameters.options as { callingHours?: object }).callingHours;
	const webhookId = `${name}-${version}`;
	for (const node of workflow.nodes) {
		if (node.name === 'AI Agent') {
			node.typeVersion = version;
			if (rounds !== undefined)
				Object.assign(node.parameters.options as object, { maxIterations: rounds });
		}
		if (node.webhookId) node.webhookId = webhookId;
	}
	const asked = async (chatInput: string, sessionId = webhookId): Promise<unknown> => {
		let output: unknown;
		await until('the agent answers', async () => {
			const answer = await postJson(webhookUrl(bench, `${webhookId}/chat`), {
				action: 'sendMessage',
				sessionId,
				chatInput,
			});
			output = answer.ok ? await answer.json() : await answer.text();
			return answer.status !== 404;
		});
		return output;
	};

	const changed = structuredClone(workflow);
	change(placeCallOf(changed), changed);
	if (placeCallOf(changed).parameters.mode !== 'live') {
		await bench.publish(await client.createWorkflow(changed));
		return asked;
	}
	const rehearsing = await startToolModel(rehearsal);
	const { id, name: credential } = await leadingTo(rehearsing);
	for (const { credentials } of workflow.nodes) {
		if (credentials?.openAiApi) credentials.openAiApi = { id, name: credential };
	}
	const dry = await client.createWorkflow(workflow);
	await bench.publish(dry);
	const live = await bench.afterDryRun(
		{ ...changed, id: dry.id, versionId: dry.versionId },
		async () => await asked('Call Ada.', 'rehearsal'),
	);
	expect(rehearsing.answers.map((answer) => rowOf(answer))).toMatchObject([
		{ status: 'dry_run', called: 'no' },
	]);
	await rehearsing.close();
	await bench.publish(live);
	return asked;
}

describe.each([2.2, 3.1])(
	'ai-agent-that-calls.workflow.json, with an AI Agent of version %d',
	(version) => {
		let model: ToolModel;
		let output: unknown;
		let dialed: object[];
		let sent: unknown[];

		beforeAll(async () => {
			model = await startToolModel(part);
			models.push(model);
			const ask = await agent(model, version, 'chat', setToLive, manyRounds);
			const before = bench.sandbox.requests.length;
			// The first person is dialed at once, the second one not for an hour.
			let records = 0;
			Object.defineProperty(bench.sandbox.settings, 'dialAfterMs', {
				configurable: true,
				enumerable: true,
				get: () => (records++ === 0 ? 0 : 3_600_000),
			});
			output = await ask('Call Ada and Bob.');
			dialed = bench.sandbox.journal.map(({ phone, variables }) => ({ phone, variables }));
			sent = bench.sandbox.requests.slice(before).map(({ route, status }) => [route, status]);
			bench.reset();
		});
		afterAll(() => model.close());

		const answer = (index: number): object => rowOf(model.answers[index]);

		it('offers the three tools with the fields that the model fills in', () => {
			const offered = model.tools.map(({ function: { name, description, parameters } }) => [
				name,
				description,
				parameters.required,
			]);
			expect(offered.sort()).toEqual([
				['Cancel_call', expect.stringContaining('not dialed yet'), ['consent_id']],
				['Get_call', expect.stringContaining('how a call went'), ['batch_id', 'consent_id']],
				[
					'Place_call',
					expect.stringContaining('Calls one person'),
					['destination', 'prompt_variables'],
				],
			]);
		});

		it('calls two people, each once, with the variables that the model gave', () => {
			expect(dialed).toEqual([
				{ phone: FIRST, variables: ada },
				{ phone: SECOND, variables: { name: 'Bob', amount: '7' } },
			]);
			expect(output).toMatchObject({ output: 'I called Ada, and took the call to Bob back.' });
		});

		it('follows one call and cancels the other, and reads that a dialed one cannot be cancelled', () => {
			expect(answer(0)).toMatchObject({
				status: 'initiated',
				call_id: expect.any(String),
				batch_id: expect.any(String),
			});
			expect(answer(1)).toMatchObject({ phone: FIRST, conversation_id: expect.any(Number) });
			expect(answer(3)).toMatchObject({ cancelled: true, status: 'cancelled' });
			expect(answer(4)).toMatchObject({ cancelled: false, status: 'already_placed' });
			const [placed, read, cancelled] = [
				['call', 201],
				['batch', 200],
				['cancel', 200],
			];
			expect(sent).toEqual([
				placed,
				read,
				placed,
				cancelled,
				['cancel', 400],
				['call', 400],
				['batch', 404],
			]);
		});

		it('reads in a short plain sentence what is not possible', () => {
			const refusals = [5, 6, 7].map((index) => model.answers[index]!);
			const [invalid, refused, missing] = refusals.map(
				(refusal) => rowOf(refusal) as { status?: string; reason?: string; error?: string },
			);
			expect(invalid).toMatchObject({
				status: 'invalid',
				success: false,
				reason: expect.stringMatching(
					/^The destination "0171 2345678" is not a valid number with the country code \+1/,
				),
			});
			expect(refused).toMatchObject({
				status: 'refused',
				success: false,
				reason: expect.stringMatching(/amount/),
			});
			expect(missing!.error).toMatch(/no batch/i);
			for (const refusal of refusals) {
				expect(refusal.length).toBeLessThan(500);
				expect(refusal).not.toMatch(/<|\\n| at |stack/);
			}
		});

		it('is told that the number was called when it asks for it again', () => {
			expect(answer(8)).toMatchObject({
				destination: FIRST,
				success: false,
				status: 'already_called',
				reason: expect.any(String),
			});
		});
	},
);

describe.each([2.2, 3.1])(
	'the example as it is imported, with an AI Agent of version %d',
	(version) => {
		it('calls nobody, and the model reads that nobody was called', async () => {
			const model = await startToolModel([
				asks('Place_call', () => ({ destination: FIRST, prompt_variables: ada })),
				() => ({ says: 'Nobody was called.' }),
			]);
			const ask = await agent(model, version, 'dry', () => undefined);
			await ask('Call Ada.');
			const [answer] = model.answers;
			await model.close();
			expect(rowOf(answer)).toMatchObject({
				status: 'dry_run',
				destination: FIRST,
				prompt_variables: ada,
			});
			expect(bench.sandbox.requests).toEqual([]);
		});
	},
);

describe.each([2.2, 3.1])(
	'a model that never stops calling, with an AI Agent of version %d',
	(version) => {
		it('is stopped after six rounds', async () => {
			const endless = Array.from({ length: 30 }, (_, n) =>
				asks('Place_call', () => ({ destination: `+155501082${10 + n}`, prompt_variables: ada })),
			);
			const model = await startToolModel(endless);
			const ask = await agent(model, version, 'endless', (placeCall) => {
				setToLive(placeCall);
				placeCall.parameters.options = {};
			});
			await ask('Call Ada.');
			await model.close();
			expect(bench.dialed).toHaveLength(6);
		});
	},
);

describe.each([2.2, 3.1])(
	'a model that wants to call ten people at once, with an AI Agent of version %d',
	(version) => {
		it('calls three of them, the one on the list of Do Not Call not among them, and reads why not the others', async () => {
			const wanted = [
				'+15550100199',
				...Array.from({ length: 9 }, (_, n) => `+155501083${10 + n}`),
			];
			const model = await startToolModel([
				() =>
					wanted.map((destination) => ({
						tool: 'Place_call',
						arguments: { destination, prompt_variables: ada },
					})),
			]);
			const ask = await agent(model, version, 'ten', setToLive);
			await ask('Call everybody.');
			await model.close();
			expect(model.answers).toHaveLength(10);
			const statuses = model.answers.map((answer) => (rowOf(answer) as { status?: string }).status);
			expect([bench.dialed.length, statuses[0]]).toEqual([3, 'do_not_call']);
			expect(statuses.slice(1).sort()).toEqual([
				...Array<string>(3).fill('initiated'),
				...Array<string>(6).fill('limit_reached'),
			]);
			expect(bench.dialed).not.toContain(wanted[0]);
			expect(bench.sandbox.doubleDialed()).toEqual([]);
		});
	},
);

describe.each([2.2, 3.1])(
	'a model that was talked into special, emergency, short and impossible numbers of 80 countries, with an AI Agent of version %d',
	(version) => {
		it('calls none of them, also where every country may be called, and reads so of each', async () => {
			const never = Object.values(NEVER).flat();
			const special = Object.values(SPECIAL).flat();
			const model = await startToolModel([
				() =>
					[...never, ...special].map((destination) => ({
						tool: 'Place_call',
						arguments: { destination, prompt_variables: ada },
					})),
			]);
			const ask = await agent(model, version, 'special', (placeCall) => {
				setToLive(placeCall);
				placeCall.parameters.countries = ['any'];
				placeCall.parameters.options = {};
			});
			await ask('Call everybody.');
			await model.close();
			const read = model.answers.map(
				(answer) => rowOf(answer) as { status?: string; destination?: string },
			);
			const told = [never, special].map((numbers, n) =>
				numbers.map((number) => `${['invalid', 'not_allowed'][n]} ${number}`),
			);
			expect(read.map(({ status, destination }) => `${status} ${destination}`).sort()).toEqual(
				told.flat().sort(),
			);
			expect(bench.sandbox.requests).toEqual([]);
		});
	},
);

describe.each([2.2, 3, 3.1])(
	'a conversation about a call, with an AI Agent of version %d',
	(version) => {
		it('knows in the next message which call the last one was about', async () => {
			const speak: NextMove = (answers, said) => {
				const asksHow = said.some((text) => text.includes('How did it go?'));
				if (!asksHow) {
					const { batch_id, consent_id } = answers.length > 0 ? rowOf(answers[0]) : {};
					return batch_id
						? { says: `Ada is called. batch_id ${batch_id} consent_id ${consent_id}` }
						: call;
				}
				const [, batch_id, consent_id] =
					/batch_id (\S+) consent_id (\d+)/.exec(said.join(' ')) ?? [];
				const went = answers
					.map((answer) => rowOf(answer) as { conversation_id?: number })
					.find(({ conversation_id }) => conversation_id);
				return went
					? { says: `It was conversation ${went.conversation_id}.` }
					: { tool: 'Get_call', arguments: { batch_id, consent_id } };
			};
			const call = { tool: 'Place_call', arguments: { destination: FIRST, prompt_variables: ada } };
			const model = await startToolModel(Array<NextMove>(6).fill(speak));
			const ask = await agent(model, version, 'memory', setToLive);
			expect(await ask('Call Ada.')).toMatchObject({
				output: expect.stringMatching(/^Ada is called/),
			});
			expect(await ask('How did it go?')).toMatchObject({
				output: expect.stringMatching(/^It was conversation \d+/),
			});
			await model.close();
			expect(bench.dialed).toEqual([FIRST]);
		});
	},
);

describe.each([2.2, 3.1])(
	'an agent that is given two people, with an AI Agent of version %d',
	(version) => {
		const people = [
			{ phone: FIRST, name: 'Anna' },
			{ phone: SECOND, name: 'Bert' },
		];

		/** The model calls whom each item names; the workflow says the words. What it was told of each. */
		async function calls(words: string, name: string) {
			const told: string[] = [];
			const speak: NextMove = (answers, said) => {
				told.push(...answers);
				const [destination] = /\+\d+/.exec(said.join(' '))!;
				return answers.length > 0
					? { says: 'Done.' }
					: { tool: 'Place_call', arguments: { destination } };
			};
			const model = await startToolModel([speak, speak]);
			const ask = await agent(model, version, name, (placeCall, { nodes, connections }) => {
				setToLive(placeCall);
				placeCall.parameters.promptVariablesJson = `={{ { name: ${words}, amount: '1' } }}`;
				const says = { promptType: 'define', text: '=Call {{ $json.phone }}' };
				Object.assign(
					nodes.find(({ name: agentName }) => agentName === 'AI Agent')!.parameters,
					says,
				);
				nodes.push(
					node('Lists', 'n8n-nodes-base.set', 3.4, {
						mode: 'raw',
						jsonOutput: JSON.stringify({ people }),
					}),
					node('People', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'people' }),
				);
				delete connections['Simple Memory'];
				const to = (target: string) => ({
					main: [[{ node: target, type: 'main' as const, index: 0 }]],
				});
				Object.assign(connections, {
					'When chat message received': to('Lists'),
					Lists: to('People'),
					People: to('AI Agent'),
				});
			});
			await ask('Call everybody.');
			await model.close();
			return told.map((answer) => rowOf(answer) as { status?: string; reason?: string });
		}

		it('and takes words by the step that gave them: n8n would say the words for the first one to all, and nobody is called', async () => {
			const told = await calls("$('People').item.json.name", 'by-step');
			expect(bench.dialed).toEqual([]);
			expect(told.map(({ reason }) => reason)).toEqual(
				Array(2).fill(
					expect.stringMatching(/takes an item of the step "People", which has others/),
				),
			);
		});

		it(`and takes words from its item: ${version < 3 ? 'n8n would say those of the first one to all, and nobody is called' : 'each hears their own'}`, async () => {
			await calls('$json.name', 'by-item');
			const heard = bench.sandbox.journal.map(({ phone, variables }) => [
				phone,
				(variables as { name: string }).name,
			]);
			expect(heard.sort()).toEqual(
				version < 3 ? [] : people.map(({ phone, name }) => [phone, name]),
			);
		});
	},
);

describe.each([3, 3.1])(
	'prompt variables that are none, with an AI Agent of version %d',
	(version) => {
		it.each([
			['text', 'Ada'],
			['a list', ['Ada']],
			['a number', 5],
		])('are told to the model, and nobody is called (%s)', async (kind, prompt_variables) => {
			const model = await startToolModel([
				asks('Place_call', () => ({ destination: FIRST, prompt_variables })),
				() => ({ says: 'I will ask.' }),
			]);
			const ask = await agent(model, version, `mistyped-${kind.length}`, setToLive);
			expect(await ask('Call Ada.')).toMatchObject({ output: 'I will ask.' });
			await model.close();
			expect(model.answers.map((answer) => rowOf(answer))).toMatchObject([
				{
					status: 'invalid',
					called: 'no',
					reason: expect.stringMatching(/^The prompt variables are not a JSON object/),
				},
			]);
			expect(model.answers[0]!.length).toBeLessThan(1_000);
			expect(bench.sandbox.requests).toEqual([]);
		});
	},
);

describe('with n8n’s human review step between the tool and the agent', () => {
	/** Does what Telegram does with a message that asks for an approval: somebody gets it. */
	async function messenger() {
		const messages: string[] = [];
		const app = fastify();
		app.post('/*', ({ body }) => {
			messages.push(JSON.stringify(body));
			return { ok: true, result: {} };
		});
		await app.listen({ host: '127.0.0.1', port: 0 });
		const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
		const credential = await bench.stage.client.createCredential({
			name: 'Messenger',
			type: 'telegramApi',
			data: { accessToken: 'none', baseUrl },
		});
		return { messages, credential, close: () => app.close() };
	}

	/** An agent that wants to call Ada, and must ask first; what somebody was asked. */
	async function asking(version: number) {
		const { messages, credential, close } = await messenger();
		const call = { destination: FIRST, prompt_variables: ada };
		const model = await startToolModel([
			asks('Place_call', () => ({ toolParameters: call, hitlParameters: {} })),
			() => ({ says: 'Done.' }),
		]);
		const review = 'Human review';
		const ask = await agent(model, version, 'review', (placeCall, { nodes, connections }) => {
			setToLive(placeCall);
			const message = '=Call {{ $tool.parameters.destination }}?';
			const fields = {
				operation: 'sendAndWait',
				chatId: '1',
				message,
				approvalOptions: { values: { approvalType: 'double' } },
			};
			const { id, name } = credential;
			nodes.push(
				node(review, 'n8n-nodes-base.telegramHitlTool', 1.2, fields, {
					webhookId: `review-${version}`,
					credentials: { telegramApi: { id, name } },
				}),
			);
			connections[review] = connections[placeCall.name]!;
			connections[placeCall.name] = { ai_tool: [[{ node: review, type: 'ai_tool', index: 0 }]] };
		});
		await ask('Call Ada.');
		return { messages, model, close: async () => await Promise.all([model.close(), close()]) };
	}

	it('nobody is called before somebody has approved it', async () => {
		const { messages, model, close } = await asking(3.1);
		await until('somebody is asked', () => messages.length === 1);
		expect(messages[0]).toContain(`Call ${FIRST}?`);
		expect(bench.sandbox.requests).toEqual([]);

		const [, approve] = /"url":"([^"]*approved=true[^"]*)"/.exec(messages[0]!) ?? [];
		// n8n takes an unknown program for a robot that looks at links.
		await fetch(approve!, {
			headers: {
				'user-agent':
					'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36',
			},
		});
		await until('the model has read that Ada was called', () => model.answers.length === 1);
		expect(rowOf(model.answers[0])).toMatchObject({ status: 'initiated', destination: FIRST });
		expect(bench.dialed).toEqual([FIRST]);
		await close();
	});

	it('an older AI Agent asks nobody and calls nobody', async () => {
		const { messages, model, close } = await asking(2.2);
		expect([messages, model.answers, bench.sandbox.requests]).toEqual([[], [''], []]);
		await close();
	});
});

describe.each([2.2, 3.1])(
	'a tool with Retry On Fail, with an AI Agent of version %d',
	(version) => {
		it.each(['skip', 'callAgain'])(
			'G4 calls nobody twice when the answer to the first try does not arrive (People Called Before: %s)',
			async (calledBefore) => {
				const model = await startToolModel([
					asks('Place_call', () => ({ destination: FIRST, prompt_variables: ada })),
					() => ({ says: 'Done.' }),
				]);
				const ask = await agent(model, version, `retry-${calledBefore}`, (placeCall) => {
					Object.assign(placeCall, {
						onError: 'stopWorkflow',
						retryOnFail: true,
						maxTries: 3,
						waitBetweenTries: 10,
					});
					Object.assign(placeCall.parameters, { mode: 'live', calledBefore });
				});
				bench.sandbox.fault({ kind: 'resetAfter', route: 'call', times: 3 });
				await ask('Call Ada.');
				await model.close();
				expect(bench.sandbox.journal.map(({ phone }) => phone)).toEqual([FIRST]);
				bench.reset();
			},
		);
	},
);

// The last one: it looks at what all the others left behind.
it('the token is in no execution, log or database, and was not shown to the model', async () => {
	expect(await placesWithTheToken(bench, FIRST)).toEqual([]);
	expect(models.flatMap(({ answers }) => answers).filter((text) => text.includes(TOKEN))).toEqual(
		[],
	);
});
