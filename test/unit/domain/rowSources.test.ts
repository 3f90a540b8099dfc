import {
	destinationFields,
	destinationsFromJson,
	fieldsHolding,
	variablesFromAssignments,
	variablesFromInput,
} from '../../../nodes/OutboundCalls/domain/rowSources';

const NONE = new Set<string>();

describe('destinations as JSON', () => {
	it.each<[string, unknown, Array<[unknown, unknown]>]>([
		[
			'numbers as text',
			'["+15551110001", "+15551110002"]',
			[
				['+15551110001', []],
				['+15551110002', []],
			],
		],
		['a list from an expression', ['+15551110001'], [['+15551110001', []]]],
		[
			'objects with variables of their own',
			'[{"phone": "+15551110001", "prompt_variables": {"name": "Ada"}}]',
			[['+15551110001', [['name', 'Ada']]]],
		],
		['objects without variables', [{ phone: '+15551110001' }], [['+15551110001', []]]],
		[
			'both forms together',
			['+15551110001', { phone: '+15551110002' }],
			[
				['+15551110001', []],
				['+15551110002', []],
			],
		],
		['a number that is no text, for the row check to find', [15551110001], [[15551110001, []]]],
		['null, for the row check to find', [null], [[null, []]]],
	])('%s', (_, json, expected) => {
		const checked = destinationsFromJson(json);
		expect(
			checked.ok &&
				checked.value.map(({ phone, variables }) => [phone, variables.ok && variables.value]),
		).toEqual(expected);
	});

	it.each<[string, unknown, RegExp]>([
		['an object', '{"phone": "+15551110001"}', /not a JSON list/],
		['one number', '+15551110001', /not a JSON list/],
		['text that is no JSON', '["+1555', /not a JSON list/],
		['empty text', '', /not a JSON list/],
		['nothing', undefined, /not a JSON list/],
		['null', null, /not a JSON list/],
		['an empty list', '[]', /list of destinations is empty/],
	])('%s cannot be called', (_, json, message) => {
		const checked = destinationsFromJson(json);
		expect(checked.ok ? '' : checked.error.message).toMatch(message);
		expect(checked.ok ? '' : checked.error.remedy).toMatch(
			/\+14155550123|Add at least one phone number/,
		);
	});

	it('values beside "phone" and "prompt_variables" are found, because the prompt would lack them', () => {
		const checked = destinationsFromJson([{ phone: '+15551110001', name: 'Ada', amount: 5 }]);
		const [entry] = checked.ok ? checked.value : [];
		expect(entry?.variables).toMatchObject({
			ok: false,
			error: { remedy: expect.stringContaining('prompt_variables') as string },
		});
		expect(entry && !entry.variables.ok && entry.variables.error.message).toMatch(
			/\+15551110001.*"name" and "amount"/,
		);
	});

	it('variables of a destination that are no object are found', () => {
		const checked = destinationsFromJson([{ phone: '+15551110001', prompt_variables: ['Ada'] }]);
		expect(checked.ok && checked.value[0]?.variables.ok).toBe(false);
	});
});

describe('every input field as a variable', () => {
	it('is named like first_name, without the destination', () => {
		const input = { 'Phone Number': '+15551110001', 'First Name': 'Ada', amountDue: 5 };
		expect(variablesFromInput(input, new Set(['Phone Number']))).toEqual({
			ok: true,
			value: [
				['first_name', 'Ada'],
				['amount_due', 5],
			],
		});
	});

	it('is refused where two fields would get the same name', () => {
		const checked = variablesFromInput({ 'First Name': 'Ada', firstName: 'Bob' }, NONE);
		expect(checked.ok ? '' : checked.error.message).toMatch(
			/"First Name" and "firstName".*"first_name"/,
		);
		expect(checked.ok ? '' : checked.error.remedy).toMatch(/Rename one of them/);
	});

	it('is refused where a field has no letters or digits to be named by', () => {
		const checked = variablesFromInput({ name: 'Ada', '€': 5 }, NONE);
		expect(checked.ok ? '' : checked.error.message).toBe(
			'the field "€" has no letters or digits that could name a prompt variable',
		);
		expect(checked.ok ? '' : checked.error.remedy).toMatch(/Rename it.*Fields Below/);
	});

	it('25 fields are taken; with more, those past the limit are named', () => {
		const fields = (count: number) =>
			Object.fromEntries(Array.from({ length: count }, (_, n) => [`Field ${n + 1}`, n]));
		expect(variablesFromInput(fields(25), NONE)).toMatchObject({ ok: true });
		const checked = variablesFromInput(fields(27), NONE);
		expect(checked.ok ? '' : checked.error.message).toMatch(
			/there are 27 input fields beside the destination, .* at most 25/,
		);
		expect(checked.ok ? '' : checked.error.remedy).toMatch(
			/Fields to Leave Out\. Those past the limit: "?Field 26"?(,| and) "?Field 27"?\.$/,
		);
	});

	it('a destination does not get into the way of a field with the same name', () => {
		expect(variablesFromInput({ Phone: '+1', phone: 'office' }, new Set(['Phone']))).toEqual({
			ok: true,
			value: [['phone', 'office']],
		});
	});
});

describe('the column that a destination expression reads is no prompt variable', () => {
	it.each<[string, string[]]>([
		['={{ $json.phone }}', ['phone']],
		['={{$json.phone}}', ['phone']],
		['={{ $json["phone"] }}', ['phone']],
		["={{ $json['Phone Number'] }}", ['Phone Number']],
		['={{ $json[`phone`] }}', ['phone']],
		['={{ $json[ "phone" ] }}', ['phone']],
		['={{ $json?.phone }}', ['phone']],
		['={{ $json?.["phone"] }}', ['phone']],
		['={{ $json.phone.trim() }}', ['phone']],
		['={{ $json.phone.toString().replace(/ /g, "") }}', ['phone']],
		['=+{{ $json.phone }}', ['phone']],
		['={{ "+" + $json.country + $json.phone }}', ['country', 'phone']],
		['={{ $json.mobile ?? $json.phone }}', ['mobile', 'phone']],
		['={{ $json.contact.phone }}', ['contact']],
		['={{ $json\n\t.phone }}', ['phone']],
		['={{ $input.item.json.phone }}', ['phone']],
		['={{ $input.item.json["Phone Number"] }}', ['Phone Number']],
		["={{ $('Sheet').item.json.phone }}", ['phone']],
		['={{ $node["Sheet"].json["phone"] }}', ['phone']],
		['={{ $json["it\'s"] }}', ["it's"]],
		['={{ $json.$phone_1 }}', ['$phone_1']],
		['={{ $json }}', []],
		['={{ $now }}', []],
		['={{ $vars.jsonPhone }}', []],
		['+15551110001', []],
		['', []],
		['$json.phone', []],
	])('%s reads %j', (expression, expected) => {
		expect([...destinationFields(expression)]).toEqual(expected);
	});

	it.each<[unknown]>([[undefined], [null], [5], [{}]])('%j reads none', (expression) => {
		expect(destinationFields(expression).size).toBe(0);
	});

	it('where it names none, the fields that hold the number are left out', () => {
		expect([...fieldsHolding({ a: '+1555', b: 'x', c: '+1555' }, '+1555')]).toEqual(['a', 'c']);
	});
});

describe('dragged columns', () => {
	it.each<[string, Parameters<typeof variablesFromAssignments>[0], unknown]>([
		[
			'names and values',
			{
				assignments: [
					{ name: 'a', value: 1 },
					{ name: 'b', value: null },
				],
			},
			[
				['a', 1],
				['b', null],
			],
		],
		['a row without a name', { assignments: [{ value: 1 }] }, [['', 1]]],
		['none', {}, []],
		['null', { assignments: null }, []],
		['nothing', undefined, []],
	])('%s', (_, collection, expected) => {
		expect(variablesFromAssignments(collection)).toEqual(expected);
	});
});
