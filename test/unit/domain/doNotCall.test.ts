import { readDoNotCall } from '../../../nodes/OutboundCalls/domain/optOuts';
import { recognizePhoneNumber } from '../../../nodes/OutboundCalls/domain/phone/phone';
import { ok } from '../../../nodes/OutboundCalls/domain/values/problem';
import { saying } from './problems';
import cases from './cases.json';

const clean = (cell: unknown) => {
	const number = recognizePhoneNumber(cell, { callingCode: '49', iso: 'DE' });
	return number.ok ? ok([number.value.person]) : number;
};
/** Without a rest between two entries. */
const wholly = (reading: ReturnType<typeof readDoNotCall>) => {
	for (;;) {
		const step = reading.next();
		if (step.done) return step.value;
	}
};
const read = (value: unknown) => {
	const checked = wholly(readDoNotCall(value, clean));
	return checked.ok ? [...checked.value] : checked.error;
};

it.each<[string, unknown, string[]]>([
	['text with commas', '+14155550101, +14155550102', ['+14155550101', '+14155550102']],
	['with line breaks', '+14155550101\r\n+14155550102\n', ['+14155550101', '+14155550102']],
	['as people write them', '+1 (415) 555-0101, 0171 2345678', ['+14155550101', '+491712345678']],
	['a list', ['+14155550101', '0171 2345678'], ['+14155550101', '+491712345678']],
	['numbers of a sheet', [491712345678, 1712345678], ['+491712345678']],
	['empty places', ' ,+14155550101,,\n;', ['+14155550101']],
	['one written twice', '+14155550101, +1 415 555 0101', ['+14155550101']],
	['an empty text', '', []],
	['undefined', undefined, []],
])('not called: %s', (_, value, expected) => {
	expect(read(value)).toEqual(expected);
});

describe('a list that cannot be read calls nobody', () => {
	it.each(cases.doNotCallUnreadable as Array<[string, unknown, string]>)(
		'%s',
		(_, value, message) => {
			expect(read(value)).toEqual(
				saying(new RegExp(message), /^Correct it.*\+ and country code.*commas/, { field: true }),
			);
		},
	);

	it('names the entry, but no more than the end of a number, and not all of a long text', () => {
		const refused = read(`+14155550101x${'y'.repeat(10_000)}`) as { message: string };
		expect(refused.message.length).toBeLessThan(150);
		expect(refused.message).not.toContain('4155550101');
	});
});

it('a long list may be cut between two entries, so that n8n answers others meanwhile', () => {
	const turns = [...readDoNotCall('0171 2345678, 0171 2345679, 0171 2345670', clean)];
	expect(turns).toHaveLength(3);
});

it('an entry may be of two people', () => {
	const checked = wholly(readDoNotCall(['4792345678'], () => ok(['+14792345678', '+4792345678'])));
	expect(checked.ok && [...checked.value]).toEqual(['+14792345678', '+4792345678']);
});
