import { parseArgs } from 'node:util';
import { faultKeys, type FaultRule, faultRuleFrom } from './faults';
import type { DestinationOutcome, RateLimit, SandboxOptions } from './types';

export interface CommandLine {
	help: boolean;
	options: SandboxOptions;
	faults: FaultRule[];
	outcomes: Array<[phone: string, outcome: DestinationOutcome]>;
}

const text = { type: 'string' } as const;
const texts = { ...text, multiple: true } as const;
const flags = {
	...{ port: text, token: text, latency: text, 'daily-limit': text, 'rate-limit': text },
	...{ 'dial-after': text, 'finish-after': text, callback: text, 'callback-header': texts },
	...{ fault: texts, outcome: texts },
	help: { type: 'boolean', short: 'h' },
} as const;

export const HELP = `A stand-in for the Outbound Calls REST API. It dials nobody.

  npm run sandbox -- [options]

  --port N                  port on 127.0.0.1; default: any free one
  --token TEXT              the API token that is accepted; default: sandbox-token
  --latency MS              delay of each answer
  --daily-limit N           destinations that may be dialed at all; then 422
  --rate-limit N/MS         placing requests per window; then 429
  --dial-after MS           time from placing to dialing; default: 0
  --finish-after MS         time from dialing to the conversation's end; default: 0
  --callback URL            post-call callback for each finished call
  --callback-header 'NAME: VALUE'  repeatable
  --outcome 'PHONE:status=STATUS,error=TEXT,times=N'  repeatable; a destination that is not dialed
  --fault 'KIND:key=value,key=value'  repeatable
  --help

Each fault takes route=call|bulk|batch|cancel, after=N, times=N, probability=0..1, and:
${Object.entries(faultKeys)
	.map(([kind, keys]) => `  ${kind.padEnd(14)} ${keys.join(', ')}`.trimEnd())
	.join('\n')}

  npm run sandbox -- --fault 'rateLimited:route=bulk,times=3,retryAfter=2'
`;

/** @throws Error, with a message for the person at the terminal */
export function readCommandLine(args: string[]): CommandLine {
	const { values } = parseArgs({ args, options: flags, strict: true });
	const number = (name: 'port' | 'latency' | 'daily-limit' | 'dial-after' | 'finish-after') =>
		values[name] === undefined ? undefined : wholeNumber(values[name], `--${name}`);
	return {
		help: values.help ?? false,
		options: {
			port: number('port'),
			token: values.token,
			latencyMs: number('latency'),
			dailyLimit: number('daily-limit'),
			rateLimit: rateLimitFrom(values['rate-limit']),
			dialAfterMs: number('dial-after'),
			finishAfterMs: number('finish-after'),
			callback: values.callback
				? { url: values.callback, headers: headersFrom(values['callback-header'] ?? []) }
				: undefined,
		},
		faults: (values.fault ?? []).map((text) => {
			const { name, fields } = named(text);
			return faultRuleFrom({ kind: name, ...fields });
		}),
		outcomes: (values.outcome ?? []).map((text) => {
			const { name, fields } = named(text);
			return [name, { status: 'failed', error: 'Not dialed', ...fields }];
		}),
	};
}

function wholeNumber(text: string, name: string): number {
	if (!/^\d+$/.test(text)) throw new Error(`${name} takes a whole number, not "${text}"`);
	return Number(text);
}

function rateLimitFrom(text: string | undefined): RateLimit | undefined {
	if (text === undefined) return undefined;
	const [requests = '', windowMs = ''] = text.split('/');
	return {
		requests: wholeNumber(requests, '--rate-limit N/MS'),
		windowMs: wholeNumber(windowMs, '--rate-limit N/MS'),
	};
}

function headersFrom(lines: string[]): Record<string, string> {
	return Object.fromEntries(lines.map((line) => line.split(/:\s*(.*)/s, 2) as [string, string]));
}

/** `name:key=value,key=value`; numbers and booleans are recognized. */
function named(text: string): { name: string; fields: Record<string, unknown> } {
	const [, name = text, list = ''] = /^([^:]*):?(.*)$/s.exec(text) ?? [];
	const pairs = list
		.split(',')
		.filter((pair) => pair !== '')
		.map((pair) => {
			const [, key = pair, value = 'true'] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
			return [key, scalar(value)] as const;
		});
	return { name, fields: Object.fromEntries(pairs) };
}

function scalar(text: string): string | number | boolean {
	if (text === 'true' || text === 'false') return text === 'true';
	return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
