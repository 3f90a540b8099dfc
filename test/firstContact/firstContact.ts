import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isSettled, type Reached, reachedOf } from '../../nodes/OutboundCalls/calls/callRecord';
import { idOf, isBatchId, isCallRecordId } from '../../nodes/OutboundCalls/domain/api/apiLimits';
import type { Exchange } from '../../nodes/OutboundCalls/domain/api/exchange';
import { apiProblem } from '../../nodes/OutboundCalls/http/apiErrors';
import { type AssumptionId, Findings } from './assumptions';
import type { CallbackListener } from './callbacks';
import { Client, type Sent } from './client';
import { bodyOf, isLimit, isRefusal, outline, said, statusOf, textOf } from './answers';
import type { Setup } from './setup';
import { isObject } from '../../nodes/OutboundCalls/domain/values/untrustedValues';

export interface Person {
	tell(text: string): void;
	/** Whether the step may be taken. */
	agrees(question: string): Promise<boolean>;
}

export interface ContactOptions {
	person: Person;
	/** Where post-call actions are sent, if anywhere. */
	callbacks?: CallbackListener;
	/** Between two looks at a call, and for how long a call or a callback is waited for. */
	pollMs?: number;
	waitMs?: number;
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
const PAGE_NAMES =
	'page page_number pageNumber page_no current_page page_index p pg page[number] offset'.split(' ');
/** No API has this parameter, so an API that minds it minds every stranger. */
const NO_NAME = 'no_such_parameter';
const UNCLEAR =
	'The answer does not say whether your phone is called, so it is called no more. Look at your dashboard.';

const STEPS = Object.entries({
	tryToken:
		'Reads a batch that does not exist, with your token and with a made-up one. Nobody is called.',
	tryUnknownAgent:
		'Asks an agent that does not exist to call your phone. It must be refused; if it is not, your phone rings.',
	tryValidation:
		'Sends three requests whose only number is “0”. They must be refused, and nobody is called.',
	trySingleCall:
		'Calls your phone once, with Place Call. Answer it, speak a sentence, and hang up.',
	tryUnanswered: 'Calls your phone once more, with Bulk Call. Let it ring, and do not answer.',
	tryCancel:
		'Calls your phone with Bulk Call, and cancels the call at once. It may ring for a moment.',
	tryPages: 'Reads the last batch with several names for the page parameter. Nobody is called.',
	tryCallbacks: 'Looks at what the post-call action has sent. Nobody is called.',
}) as Array<[Extract<keyof FirstContact, `try${string}`>, string]>;

/** Thrown where nothing more can be learned, or nothing more may be dialed. Its message is for the person. */
class Ended extends Error {}

/** Tries out a real account, step by step. Nothing but the own phone is ever dialed, and each step is asked for. */
export class FirstContact {
	readonly findings = new Findings();
	readonly client: Client;
	endedBecause?: string;
	private readonly calls: PlacedCall[] = [];
	private callsPlaced = 0;
	/** Values that are only shown, by the line of the report. */
	private readonly shown = new Map<AssumptionId, Set<string>>();
	/** The IDs that are sent along, by the kind of call. */
	private readonly externalCallIds = {
		single: `first-contact-${randomUUID()}`,
		bulk: `first-contact-${randomUUID()}`,
	};
	private readonly pollMs: number;
	private readonly waitMs: number;

	constructor(
		private readonly setup: Setup,
		private readonly options: ContactOptions,
	) {
		this.client = new Client(setup);
		this.pollMs = options.pollMs ?? 5_000;
		this.waitMs = options.waitMs ?? 300_000;
	}

	async run(): Promise<void> {
		const { person } = this.options;
		try {
			for (const [n, [step, announcement]] of STEPS.entries()) {
				person.tell(`\nStep ${n + 1} of ${STEPS.length}. ${announcement}`);
				if (await person.agrees('Do this now?')) await this[step]();
			}
		} catch (thrown) {
			if (!(thrown instanceof Ended)) throw thrown;
			this.endedBecause = thrown.message;
			person.tell(thrown.message);
		}
		this.sumUp();
	}

	async tryToken(): Promise<void> {
		const { exchange } = await this.client.read(NO_BATCH, 'a batch that does not exist', {});
		this.judge('token', exchange, isRefusal(exchange, 404));
		if (!isRefusal(exchange, 404))
			throw new Ended(`${this.problem(exchange, 'read')} Nothing more was tried.`);
		const token = 'first-contact-made-up-token';
		const wrong = await this.client.read(NO_BATCH, 'the same with a made-up token', { token });
		this.judge('wrong-token', wrong.exchange, isRefusal(wrong.exchange, 401));
	}

	async tryUnknownAgent(): Promise<void> {
		const placement = { whom: 'own phone', agentNumber: NO_AGENT } as const;
		const sent = await this.client.place('bulkCall', placement, 'an agent that does not exist');
		const isKnown = isRefusal(sent.exchange, 404, /agent not found/i);
		this.judge('unknown-agent', sent.exchange, isKnown);
		this.mustBeRefused(sent, 'The agent that does not exist');
	}

	async tryValidation(): Promise<void> {
		const answers: string[] = [];
		for (const [about, more] of [
			['no agent and no number', { agentNumber: NO_AGENT }],
			['no number and no prompt variables', { withoutVariables: true }],
			['no number', {}],
		] as const) {
			const sent = await this.client.place('bulkCall', { whom: 'no number', ...more }, about);
			this.judge('validation', sent.exchange, isRefusal(sent.exchange, 400));
			this.mustBeRefused(sent, 'The request without a number');
			answers.push(`${about}: ${textOf(sent.exchange)}`);
		}
		this.findings.note('validation-order', 'seen', answers.join('; '));
	}

	async trySingleCall(): Promise<void> {
		const { person } = this.options;
		const externalCallId = this.externalCallIds.single;
		const placement = { whom: 'own phone', externalCallId } as const;
		const { exchange, proves } = await this.client.place('placeCall', placement, 'one call');
		if (proves.kind === 'refused') return this.tellRefusal(exchange, 'single-answer');
		this.callsPlaced++;
		const { call_id, external_call_id, batch_id, consent_id } = bodyOf(exchange);
		const isPlaced = proves.kind === 'placed' && call_id !== undefined;
		this.findings.note('single-answer', isPlaced, said(exchange));
		if (!isPlaced) throw new Ended(UNCLEAR);
		const isEchoed = external_call_id === externalCallId;
		this.findings.note('external-call-id', isEchoed, outline({ external_call_id }));
		let call = callIn(batch_id, consent_id);
		this.findings.note('single-ids', call !== undefined, outline({ batch_id, consent_id }));
		if (!call) {
			person.tell(
				'The answer names no call record, so this call cannot be followed. Wait until it is over. Your phone is called once more, with Bulk Call, to see what an answered call looks like.',
			);
			if (!(await person.agrees('Do this now, and answer once more?'))) return;
			call = await this.placeInBulk('a call to be answered');
		}
		if (call) this.judgeRecord('answered', await this.follow(call), 'yes');
	}

	async tryUnanswered(): Promise<void> {
		const call = await this.placeInBulk('a call to be left alone', this.externalCallIds.bulk);
		if (call) this.judgeRecord('unanswered', await this.follow(call), 'no');
	}

	private judgeRecord(id: AssumptionId, record: Fields | undefined, reached: Reached): void {
		const holds = record !== undefined && reachedOf(record) === reached;
		this.findings.note(id, holds, ended(record));
	}

	async tryCancel(): Promise<void> {
		const earlier = this.calls.at(-1);
		const call = await this.placeInBulk('a call to be cancelled');
		if (call) {
			const { exchange } = await this.client.cancel(call.callRecordId, 'the call just placed');
			if (bodyOf(exchange).success === true) {
				const record = await this.recordOf(call);
				const what = `${said(exchange)}; the record then: ${ended(record)}`;
				this.findings.note('cancelled', record?.status === 'cancelled', what);
			} else {
				this.findings.note('cancelled', 'not seen', `The call was faster: ${said(exchange)}`);
				this.judge('already-placed', exchange, /already placed/i.test(textOf(exchange)));
			}
		}
		if (!earlier || this.findings.of('already-placed').verdict !== 'not seen') return;
		const { exchange } = await this.client.cancel(earlier.callRecordId, 'a call that is over');
		this.judge('already-placed', exchange, /already placed/i.test(textOf(exchange)));
	}

	async tryPages(): Promise<void> {
		const batchId = this.calls.at(-1)?.batchId;
		if (batchId === undefined) return;
		const ask = async (name: string, page: string): Promise<Sent> =>
			await this.client.read(batchId, `page ${page}`, { query: `?${name}=${page}` });
		const note = this.findings.note.bind(this.findings, 'page-parameter');
		const { exchange, proves } = await ask(NO_NAME, '0');
		if (proves.kind !== 'placed')
			return note(
				'not seen',
				`The API refuses parameters that it does not know: ${said(exchange)}`,
			);
		const known: string[] = [];
		for (const name of PAGE_NAMES) {
			// "integer, minimum 1": page 2 is another one than the first, and there is no page 0.
			const [second, zero] = [await ask(name, '2'), await ask(name, '0')];
			const isOther = second.proves.kind === 'placed' && bodyOf(second.exchange).current_page !== 1;
			if (isOther || [400, 404, 422].some((status) => isRefusal(zero.exchange, status)))
				known.push(name);
		}
		if (known.length > 0) note(known.includes('page'), `It is called ${known.join(' or ')}.`);
		else note('not seen', 'None of the names that were tried changes the answer.');
	}

	async tryCallbacks(): Promise<void> {
		const { callbacks, person } = this.options;
		if (!callbacks)
			return person.tell('Nothing listens for it: add --callback-port for this step.');
		const { received } = callbacks;
		for (let ms = 0; ms < this.waitMs && received.length < this.callsPlaced; ms += this.pollMs)
			await delay(this.pollMs);
		if (received.length === 0)
			return this.findings.note('callback', 'not seen', 'Nothing arrived.');
		const { single, bulk } = this.externalCallIds;
		const holds = (id: string) => received.some(({ body }) => JSON.stringify(body).includes(id));
		const isPost = received.every(({ method }) => method === 'POST');
		// A callback may hold what was said in a call, so no value is shown.
		const shapes = received.map(
			({ method, contentType, headerNames, body }) =>
				`${method} ${contentType}, headers ${headerNames.join(', ')}: ${outline(body, new Set())}`,
		);
		const seen = [...new Set(shapes)].join(' · ');
		this.findings.note('callback', isPost && holds('call_id') && holds(single), seen);
		if (holds(bulk))
			this.findings.note(
				'bulk-metadata',
				false,
				'The callback holds the ID sent with a bulk call.',
			);
	}

	/** One bulk request to the own phone. With an ID of our own it also tells whether bulk requests take one. */
	private async placeInBulk(
		about: string,
		externalCallId?: string,
	): Promise<PlacedCall | undefined> {
		const placement = { whom: 'own phone', externalCallId } as const;
		const { exchange, proves } = await this.client.place('bulkCall', placement, about);
		if (externalCallId !== undefined && statusOf(exchange) === 400 && proves.kind === 'refused') {
			this.findings.note('bulk-metadata', 'holds', said(exchange));
			return await this.placeInBulk(about);
		}
		if (proves.kind === 'refused') return this.tellRefusal(exchange, 'bulk-answer');
		if (proves.kind === 'unknown') {
			this.findings.note('bulk-answer', false, said(exchange));
			throw new Ended(UNCLEAR);
		}
		if (externalCallId !== undefined)
			this.findings.note(
				'bulk-metadata',
				'seen',
				'Accepted; only the callback says whether it is used.',
			);
		const { batch_id, results } = bodyOf(exchange);
		const [result] = Array.isArray(results) ? (results as unknown[]) : [];
		const call = isObject(result) ? callIn(batch_id, result.consent_id) : undefined;
		this.findings.note('bulk-answer', call !== undefined, said(exchange));
		if (isObject(result) && result.success === true) this.callsPlaced++;
		return call;
	}

	private tellRefusal(exchange: Exchange, id: 'single-answer' | 'bulk-answer'): undefined {
		if (this.findings.of(id).verdict === 'not seen')
			this.findings.note(id, 'not seen', `Refused: ${said(exchange)}`);
		this.options.person.tell(`Your phone was not called. ${this.problem(exchange, 'bulkCall')}`);
	}

	private problem(exchange: Exchange, purpose: 'read' | 'bulkCall'): string {
		const { agentNumber } = this.setup;
		const about = { purpose, batchId: NO_BATCH, agentNumber, timeoutMs: 60_000 };
		const { message, remedy } = apiProblem(exchange, about);
		return `${message}. ${remedy}`;
	}

	/** Reads the call until nothing more is to come of it, or the time is up. */
	private async follow(call: PlacedCall): Promise<Fields | undefined> {
		this.calls.push(call);
		for (let ms = 0; ; ms += this.pollMs) {
			const record = await this.recordOf(call);
			if ((record && isSettled(record, 'finished')) || ms >= this.waitMs) return record;
			await delay(this.pollMs);
		}
	}

	private async recordOf({ batchId, callRecordId }: PlacedCall): Promise<Fields | undefined> {
		const { exchange } = await this.client.read(batchId, 'the call', {});
		const { consents, summary } = bodyOf(exchange);
		if (isObject(summary)) this.show('summary', outline(summary));
		const records = Array.isArray(consents) ? (consents as unknown[]).filter(isObject) : [];
		for (const { status, consent_method } of records) {
			this.show('statuses', String(status));
			this.show('consent-method', String(consent_method));
		}
		return records.find((record) => idOf(record) === callRecordId);
	}

	private mustBeRefused({ exchange, proves }: Sent, what: string): void {
		if (proves.kind === 'refused') return;
		this.findings.note('validation', false, said(exchange));
		throw new Ended(
			`${what} was not clearly refused, so nothing more is sent. Look at your dashboard whether anything was dialed.`,
		);
	}

	/** By one answer. A refusal for now, and no answer, refute nothing. */
	private judge(id: AssumptionId, exchange: Exchange, holds: boolean): void {
		const says = holds || (exchange.kind === 'answer' && !isLimit(exchange));
		this.findings.note(id, says ? holds : 'not seen', said(exchange));
	}

	private show(id: AssumptionId, value: string): void {
		this.shown.set(id, (this.shown.get(id) ?? new Set()).add(value));
	}

	private sumUp(): void {
		for (const { exchange } of this.client.sent)
			if (isLimit(exchange)) this.show('limits', said(exchange));
		for (const [id, values] of this.shown) this.findings.note(id, 'seen', [...values].join(' · '));
	}
}

const ended = (record: Fields | undefined): string =>
	record === undefined ? 'its record was not found' : outline(record);

function callIn(batchId: unknown, record: unknown): PlacedCall | undefined {
	const callRecordId = idOf({ id: record });
	return typeof batchId === 'string' && isBatchId(batchId) && isCallRecordId(callRecordId)
		? { batchId, callRecordId }
		: undefined;
}
