import type { FastifySchemaValidationError } from 'fastify/types/schema';
import { E164_TEXT } from './refusals';

export const MAX_DESTINATIONS = 10;

const e164 = { type: 'string', pattern: '^\\+\\d+$' };

// Resources, "PromptVariables". Snake_case names are only a "should", so they are not enforced.
const promptVariables = {
	type: 'object',
	maxProperties: 25,
	propertyNames: { not: { pattern: '^(system__|secret__)' } },
	additionalProperties: { type: 'string', maxLength: 500 },
};

const callerForSipAgents = {
	if: {
		required: ['agent_number'],
		properties: { agent_number: { type: 'string', pattern: '^t' } },
	},
	then: { required: ['caller_number'] },
};

/** Body of POST /calls. */
export const callSchema = {
	type: 'object',
	required: ['destination', 'agent_number'],
	properties: {
		destination: e164,
		agent_number: { type: 'string' },
		caller_number: e164,
		prompt_variables: promptVariables,
		metadata: { type: 'object', properties: { external_call_id: { type: 'string' } } },
	},
	...callerForSipAgents,
};

/** Body of POST /calls/bulk. An empty list counts as a missing parameter. */
export const bulkSchema = {
	type: 'object',
	required: ['destinations', 'agent_number'],
	properties: {
		destinations: {
			type: 'array',
			minItems: 1,
			maxItems: MAX_DESTINATIONS,
			items: {
				type: ['string', 'object'],
				if: { type: 'string' },
				then: e164,
				else: {
					type: 'object',
					required: ['phone'],
					properties: { phone: e164, prompt_variables: promptVariables },
				},
			},
			anyOf: [{ items: { type: 'string' } }, { items: { not: { type: 'string' } } }],
		},
		agent_number: { type: 'string' },
		caller_number: e164,
		prompt_variables: promptVariables,
	},
	...callerForSipAgents,
};

/** The `error` text of a body that the schema refuses; only the E.164 text is documented (Errors). */
export function violationText(violations: FastifySchemaValidationError[]): string {
	const [first] = violations;
	if (!first) return 'Invalid request body';
	if (violations.some(({ keyword }) => keyword === 'anyOf'))
		return 'destinations must be either all objects or all strings';
	if (violations.some(({ keyword }) => keyword === 'propertyNames'))
		return 'prompt_variables keys must not start with system__ or secret__';
	const field = first.instancePath.slice(1).replaceAll('/', '.');
	if (first.keyword === 'pattern' && field.startsWith('destination')) return E164_TEXT;
	return `${field || 'Request body'} ${first.message ?? 'is invalid'}`;
}
