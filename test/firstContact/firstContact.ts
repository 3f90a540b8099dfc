import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isReached, isSettled } from '../../nodes/OutboundCalls/batches/callRecord';
import { isBatchId, isCallRecordId } from '../../nodes/OutboundCalls/domain/apiLimits';
import { type Exchange, isErrorBody } from '../../nodes/OutboundCalls/domain/exchange';
import { idOf } from '../../nodes/OutboundCalls/domain/ids';
import { isOwnAnswer } from '../../nodes/OutboundCalls/domain/sendPolicy';
import { isObject } from '../../nodes/OutboundCalls/domain/values';
import { apiProblem } from '../../nodes/OutboundCalls/http/apiErrors';
import { type AssumptionId, Findings } from './assumptions';
import type { CallbackListener } from './callbacks';
import { Client, type Sent } from './client';
import { namesAlone, outline } from './outline';
import type { Setup } from './setup';

/** The person at the terminal. */
export interface Person {
	tell(text: string): void;
	/** Whether the step may be taken. */
	agrees(question: string): Promise<boolean>;
	/** Waits until the person has done it. */
	done(request: string): Promise<void>;
}

export interface ContactOptions {
	person: Person;
	/** Where post-call actions are sent, if anywhere. */
	callbacks?: CallbackListener;
	/** Between two looks at a call. */
	pollMs?: number;
	/** For how long a call, or a callback, is waited for. */
	waitMs?: number;
	/** Names that the page parameter may have. */
	pageNames?: readonly string[];
}

type Fields = Record<string, unknown>;

/** A call on the own phone that can be followed. */
interface PlacedCall {
	batchId: string;
	callRecordId: string;
}

const NO_BATCH = '00000000-0000-0000-0000-000000000000';
/** +999 is the calling code of no country. */
const NO_AGENT = '+99900000000';
const PAGE_NAMES = [
	'page',
	'page_number',
	'pageNumber',
	'page_no',
	'current_page',
	'page_index',
	'p',
	'pg',
	'page[number]',
	'offset',
];
/** It is no parameter of any API, so an API that minds it minds every stranger. */
const NO_NAME = 'no_such_parameter';

/** Thrown where nothing more can be learned, or nothing more may be dialed. Its message is for the person. */
class Ended extends Error {}

/** Tries out a real account, step by step. Nothing but the own phone is ever dialed, and each step is asked for. */
export class FirstContact {
	readonly findings = new Findings();
	readonly client: Client;
	/** Batches that calls of this contact made. */
	private readonly calls: PlacedCall[] = [];
	private readonly statuses = new Set<string>();
	private readonly methods = new Set<string>();
	private readonly summaries = new Set<string>();
	/** IDs that were sent along, by the kind of call. */
	private readonly externalCallIds = {
		single: `first-contact-${randomUUID()}`,
		bulk: `first-contact-${randomUUID()}`,
	};
	private callsPlaced = 0;
	/** Why it ended before its last step. */
	endedBecause?: string;

	constructor(
		private readonly setup: Setup,
		private readonly options: ContactOptions,
	) {
		this.client = new Client(setup);
	}

	/** All steps, as far as they go. */
	async run(): Promise<void> {
		const steps: Array<[announcement: string, step: () => Promise<void>]> = [
			[
				'Reads a batch that does not exist, with your token and with a made-up one. Nobody is called.',
				() => this.tryToken(),
			],
			[
				'Asks an agent that does not exist to call your phone. It must be refused; if it is not, your phone rings.',
				() => this.tryUnknownAgent(),
			],
			[
				'Sends three requests whose only number is “0”. They must be refused, and nobody is called.',
				() => this.tryValidation(),
			],
			[
				'Calls your phone once, with Place Call. Answer it, speak a sentence, and hang up.',
				() => this.trySingleCall(),
			],
			[
				'Calls your phone once more, with Bulk Call. Let it ring, and do not answer.',
				() => this.tryUnanswered(),
			],
			[
				'Calls your phone with Bulk Call, and cancels the call at once. It may ring for a moment.',
				() => this.tryCancel(),
			],
			[
				'Reads the last batch with several names for the page parameter. Nobody is called.',
				() => this.tryPages(),
			],
			['Looks at what the post-call action has sent. Nobody is called.', () => this.tryCallbacks()],
		];
		try {
			for (const [n, [announcement, step]] of steps.entries()) {
				const { person } = this.options;
				person.tell(`\nStep ${n + 1} of ${steps.length}. ${announcement}`);
				if (await person.agrees('Do this now?')) await step();
			}
		} catch (thrown) {
			if (!(thrown instanceof Ended)) throw thrown;
			this.endedBecause = thrown.message;
			this.options.person.tell(thrown.message);
		}
		this.sumUp();
	}

	private async tryToken(): Promise<void> {
		const { exchange } = await this.client.read(NO_BATCH, 'a batch that does not exist');
		const works = isRefusal(exchange, 404);
		this.judgeAnswer('token', exchange, works);
		if (!works) {
			const { message, remedy } = apiProblem(
				exchange,
				{ purpose: 'read', batchId: NO_BATCH, timeoutMs: 0 },
				Date.now(),
			);
			throw new Ended(`${message}. ${remedy} Nothing more was tried.`);
		}
		const wrong = await this.client.read(NO_BATCH, 'the same with a made-up token', {
			token: 'first-contact-made-up-token',
		});
		this.judgeAnswer('wrong-token', wrong.exchange, isRefusal(wrong.exchange, 401));
	}

	private async tryUnknownAgent(): Promise<void> {
		const sent = await this.client.bulkCall(
			{ whom: 'own phone', agentNumber: NO_AGENT },
			'an agent that does not exist',
		);
		this.judgeAnswer(
			'unknown-agent',
			sent.exchange,
			isRefusal(sent.exchange, 404, /agent not found/i),
		);
		this.mustBeRefused(sent, 'The agent that does not exist');
	}

	private async tryValidation(): Promise<void> {
		const noAgent = await this.client.bulkCall(
			{ whom: 'no number', agentNumber: NO_AGENT },
			'no agent and no number',
		);
		this.mustBeRefused(noAgent, 'The request without a number');
		const bare = await this.client.bulkCall(
			{ whom: 'no number', withoutVariables: true },
			'no number and no prompt variables',
		);
		this.mustBeRefused(bare, 'The request without a number');
		const noNumber = await this.client.bulkCall({ whom: 'no number' }, 'no number');
		this.judgeAnswer('validation', noNumber.exchange, isRefusal(noNumber.exchange, 400));
		this.mustBeRefused(noNumber, 'The request without a number');

		const agentFirst =
			isRefusal(noAgent.exchange, 404) || textOf(noAgent.exchange).includes('gent not found');
		const variablesFirst = /^Missing prompt_variables/i.test(textOf(bare.exchange));
		const knowsVariables = variablesFirst || Object.keys(this.setup.variables).length > 0;
		const order = [
			agentFirst
				? 'the agent is checked before the number'
				: 'the number is checked before the agent',
			knowsVariables
				? variablesFirst
					? 'prompt variables are checked before the number'
					: 'the number is checked before prompt variables'
				: 'the agent was given no prompt variables, so nothing is known of those',
		];
		this.findings.note('validation-order', 'seen', `${order.join('; ')}.`.replace(/^t/, 'T'));
	}

	private async trySingleCall(): Promise<void> {
		const externalCallId = this.externalCallIds.single;
		const { exchange, proves } = await this.client.placeCall(
			{ whom: 'own phone', externalCallId },
			'one call',
		);
		if (proves.kind === 'rejected') return this.tellRefusal(exchange, 'single-answer');
		this.callsPlaced++;
		const body = bodyOf(exchange);
		const answered = proves.kind === 'succeeded' && body.call_id !== undefined;
		this.findings.judge('single-answer', answered, said(exchange));
		if (!answered)
			throw new Ended(
				'The answer does not say whether your phone is called, so it is called no more. Look at your dashboard.',
			);
		this.findings.judge(
			'external-call-id',
			body.external_call_id === externalCallId,
			shape({ external_call_id: body.external_call_id }),
		);
		const call = callIn(body.batch_id, body.consent_id);
		this.findings.judge(
			'single-ids',
			call !== undefined,
			shape({ batch_id: body.batch_id, consent_id: body.consent_id }),
		);
		if (call) {
			this.judgeAnswered(await this.follow(call));
			return;
		}
		await this.options.person.done(
			'The answer names no call record, so this call cannot be followed. Press Enter when the call is over.',
		);
		this.options.person.tell(
			'Your phone is called once more, with Bulk Call, to see what an answered call looks like.',
		);
		if (!(await this.options.person.agrees('Do this now, and answer once more?'))) return;
		const again = await this.placeInBulk('a call to be answered');
		if (again) this.judgeAnswered(await this.follow(again));
	}

	private judgeAnswered(record: Fields | undefined): void {
		this.findings.judge(
			'answered',
			record !== undefined && isReached(record) === true,
			ended(record),
		);
	}

	private async tryUnanswered(): Promise<void> {
		const call = await this.placeInBulk('a call to be left alone', this.externalCallIds.bulk);
		if (!call) return;
		const record = await this.follow(call);
		this.findings.judge(
			'unanswered',
			record !== undefined && isReached(record) === false,
			ended(record),
		);
	}

	private async tryCancel(): Promise<void> {
		const earlier = this.calls.at(-1);
		const call = await this.placeInBulk('a call to be cancelled');
		if (call) {
			const { exchange } = await this.client.cancel(
				call.callRecordId,
				'the call that was just placed',
			);
			const isCancelled = exchange.kind === 'answer' && bodyOf(exchange).success === true;
			if (isCancelled) {
				const record = await this.recordOf(call);
				this.findings.judge(
					'cancelled',
					record?.status === 'cancelled',
					`${said(exchange)}; the record then: ${ended(record)}`,
				);
			} else {
				this.findings.note('cancelled', 'not seen', `The call was faster: ${said(exchange)}`);
				this.judgeAlreadyPlaced(exchange);
			}
		}
		if (!earlier || this.findings.of('already-placed').verdict !== 'not seen') return;
		const { exchange } = await this.client.cancel(earlier.callRecordId, 'a call that is over');
		this.judgeAlreadyPlaced(exchange);
	}

	private judgeAlreadyPlaced(exchange: Exchange): void {
		this.judgeAnswer('already-placed', exchange, /already placed/i.test(textOf(exchange)));
	}

	private async tryPages(): Promise<void> {
		const call = this.calls.at(-1);
		if (!call) return;
		const { batchId } = call;
		const stranger = await this.client.read(batchId, `the parameter ${NO_NAME}`, {
			query: { [NO_NAME]: '0' },
		});
		if (stranger.proves.kind !== 'succeeded') {
			this.findings.note(
				'page-parameter',
				'not seen',
				`The API refuses every parameter that it does not know: ${said(stranger.exchange)}`,
			);
			return;
		}
		const known: string[] = [];
		for (const name of this.options.pageNames ?? PAGE_NAMES)
			if (await this.isPageParameter(batchId, name)) known.push(name);
		if (known.length === 0) {
			this.findings.note(
				'page-parameter',
				'not seen',
				'None of the names that were tried changes the answer. A batch of more than 20 records may tell more.',
			);
			return;
		}
		this.findings.judge(
			'page-parameter',
			known.includes('page'),
			`It is called ${known.join(' or ')}.`,
		);
	}

	/** "integer, minimum 1": page 2 is another page than the first, and there is no page 0. A name that the API does not know changes nothing. */
	private async isPageParameter(batchId: string, name: string): Promise<boolean> {
		const second = await this.client.read(batchId, `page 2 as ${name}`, { query: { [name]: '2' } });
		if (second.proves.kind === 'succeeded' && bodyOf(second.exchange).current_page !== 1)
			return true;
		const none = await this.client.read(batchId, `page 0 as ${name}`, { query: { [name]: '0' } });
		return isErrorBody(bodyOf(none.exchange)) && [400, 404, 422].includes(statusOf(none.exchange));
	}

	private async tryCallbacks(): Promise<void> {
		const { callbacks, person, waitMs = 300_000, pollMs = 5_000 } = this.options;
		if (!callbacks) {
			person.tell(
				'Nothing listens for it: start first contact with --callback-port for this step.',
			);
			return;
		}
		const { single, bulk } = this.externalCallIds;
		for (
			let waited = 0;
			waited < waitMs && callbacks.received.length < this.callsPlaced;
			waited += pollMs
		)
			await delay(pollMs);
		const texts = callbacks.received.map(({ body }) => JSON.stringify(body));
		if (texts.length === 0) {
			this.findings.note('callback', 'not seen', 'Nothing arrived.');
			return;
		}
		const holds = callbacks.received.some(
			({ method }, n) =>
				method === 'POST' && texts[n]!.includes('call_id') && texts[n]!.includes(single),
		);
		const shapes = new Set(
			callbacks.received.map(
				({ method, contentType, headerNames, body }) =>
					`${method} ${contentType}, headers ${headerNames.join(', ')}: ${JSON.stringify(namesAlone(body))}`,
			),
		);
		this.findings.judge('callback', holds, [...shapes].join(' · '));
		if (texts.some((text) => text.includes(bulk)))
			this.findings.note(
				'bulk-metadata',
				'does not hold',
				'The callback of the bulk call holds the external_call_id that was sent with it.',
			);
	}

	/** One bulk request to the own phone. With an ID of our own it also tells whether bulk requests take one. */
	private async placeInBulk(
		about: string,
		externalCallId?: string,
	): Promise<PlacedCall | undefined> {
		const { exchange, proves } = await this.client.bulkCall(
			{ whom: 'own phone', externalCallId },
			about,
		);
		if (externalCallId !== undefined) {
			if (proves.kind === 'rejected' && statusOf(exchange) === 400) {
				this.findings.note('bulk-metadata', 'holds', said(exchange));
				return await this.placeInBulk(about);
			}
			if (proves.kind === 'succeeded')
				this.findings.note(
					'bulk-metadata',
					'seen',
					'A bulk request with metadata is accepted; only the callback says whether it is used.',
				);
		}
		if (proves.kind === 'rejected') {
			this.tellRefusal(exchange, 'bulk-answer');
			return undefined;
		}
		if (proves.kind === 'indeterminate') {
			this.findings.judge('bulk-answer', false, said(exchange));
			throw new Ended(
				'The answer does not say whether your phone is called, so it is called no more. Look at your dashboard.',
			);
		}
		const body = bodyOf(exchange);
		const [result] = Array.isArray(body.results) ? (body.results as unknown[]) : [];
		const call = isObject(result) ? callIn(body.batch_id, result.consent_id) : undefined;
		this.findings.judge('bulk-answer', call !== undefined, said(exchange));
		if (isObject(result) && result.success === true) this.callsPlaced++;
		return call;
	}

	private tellRefusal(exchange: Exchange, id: 'single-answer' | 'bulk-answer'): void {
		const { message, remedy } = apiProblem(
			exchange,
			{ purpose: 'bulkCall', agentNumber: this.setup.agentNumber, timeoutMs: 60_000 },
			Date.now(),
		);
		if (this.findings.of(id).verdict === 'not seen')
			this.findings.note(id, 'not seen', `Refused: ${said(exchange)}`);
		this.options.person.tell(`Your phone was not called. ${message}. ${remedy}`);
	}

	/** Reads the call until nothing more is to come of it, or the time is up. */
	private async follow(call: PlacedCall): Promise<Fields | undefined> {
		const { waitMs = 300_000, pollMs = 5_000 } = this.options;
		this.calls.push(call);
		for (let waited = 0; ; waited += pollMs) {
			const record = await this.recordOf(call);
			if ((record && isSettled(record, 'finished')) || waited >= waitMs) return record;
			await delay(pollMs);
		}
	}

	private async recordOf({ batchId, callRecordId }: PlacedCall): Promise<Fields | undefined> {
		const { exchange } = await this.client.read(batchId, 'the call');
		const { consents, summary } = bodyOf(exchange);
		if (isObject(summary)) this.summaries.add(shape(summary));
		const records = Array.isArray(consents) ? (consents as unknown[]).filter(isObject) : [];
		for (const { status, consent_method: method } of records) {
			this.statuses.add(String(status));
			this.methods.add(String(method));
		}
		return records.find((record) => idOf(record) === callRecordId);
	}

	private mustBeRefused({ exchange, proves }: Sent, what: string): void {
		if (proves.kind === 'rejected') return;
		this.findings.judge('validation', false, said(exchange));
		throw new Ended(
			`${what} was not clearly refused, so nothing more is sent. Look at your dashboard whether anything was dialed.`,
		);
	}

	/** By one answer. A refusal for now, and no answer, refute nothing. */
	private judgeAnswer(id: AssumptionId, exchange: Exchange, holds: boolean): void {
		const says = holds || (exchange.kind === 'answer' && !isLimit(exchange));
		this.findings.note(id, holds ? 'holds' : says ? 'does not hold' : 'not seen', said(exchange));
	}

	private sumUp(): void {
		const list = (seen: Set<string>): string => [...seen].join(', ');
		if (this.statuses.size > 0) this.findings.note('statuses', 'seen', list(this.statuses));
		if (this.methods.size > 0) this.findings.note('consent-method', 'seen', list(this.methods));
		if (this.summaries.size > 0)
			this.findings.note('summary', 'seen', [...this.summaries].join(' → '));
		const limits = this.client.sent
			.filter(({ exchange }) => isLimit(exchange))
			.map(({ exchange }) => said(exchange));
		if (limits.length > 0) this.findings.note('limits', 'seen', [...new Set(limits)].join(' · '));
		else this.findings.note('limits', 'not seen', 'No limit was met.');
	}
}

const bodyOf = (exchange: Exchange): Fields =>
	exchange.kind === 'answer' && isObject(exchange.body) ? exchange.body : {};

const statusOf = (exchange: Exchange): number => (exchange.kind === 'answer' ? exchange.status : 0);

const textOf = (exchange: Exchange): string => {
	const { error } = bodyOf(exchange);
	return typeof error === 'string' ? error : '';
};

/** Whether the API itself refused, with this status and text. */
const isRefusal = (exchange: Exchange, status: number, text = /./): boolean =>
	statusOf(exchange) === status && isErrorBody(bodyOf(exchange)) && text.test(textOf(exchange));

const isLimit = (exchange: Exchange): boolean =>
	isOwnAnswer(exchange) &&
	([422, 429, 503].includes(statusOf(exchange)) ||
		/"(?:rate_limited|temporarily_unavailable|locked)"/.test(JSON.stringify(bodyOf(exchange))));

const shape = (value: unknown): string => JSON.stringify(outline(value));

/** An answer for the report: its status, its wait and its shape. */
export function said(exchange: Exchange): string {
	if (exchange.kind !== 'answer') return `no answer (${exchange.code})`;
	const { status, body, retryAfter } = exchange;
	return `${status}${retryAfter === undefined ? '' : `, Retry-After ${retryAfter}`} ${shape(body)}`;
}

const ended = (record: Fields | undefined): string =>
	record === undefined ? 'its record was not found' : shape(record);

function callIn(batch: unknown, record: unknown): PlacedCall | undefined {
	const callRecordId = idOf({ id: record });
	return typeof batch === 'string' && isBatchId(batch) && isCallRecordId(callRecordId)
		? { batchId: batch, callRecordId }
		: undefined;
}
