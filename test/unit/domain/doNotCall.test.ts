import { readDoNotCall } from '../../../nodes/OutboundCalls/domain/optOuts';
import type { Region } from '../../../nodes/OutboundCalls/domain/phone/countries';
import { saying } from './problems';
import cases from './cases.json';

const GERMANY = { callingCode: '49', iso: 'DE' };
let rests = 0;
const read = async (value: unknown, region: Region = GERMANY) => {
	rests = 0;
	const checked = await readDoNotCall(value, region, async () => {
		rests = await Promise.resolve(rests + 1);
	});
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
])('not called: %s', async (_, value, expected) => {
	expect(await read(value)).toEqual(expected);
});

describe('a list that cannot be read calls nobody', () => {
	it.each(cases.doNotCallUnreadable as Array<[string, unknown, string]>)(
		'%s',
		async (_, value, message) => {
			expect(await read(value)).toEqual(
				saying(new RegExp(message), /^Correct it.*\+ and country code.*commas/, { field: true }),
			);
		},
	);

	it('names the entry, but no more than the end of a number, and not all of a long text', async () => {
		const refused = (await read(`+14155550101x${'y'.repeat(10_000)}`)) as { message: string };
		expect(refused.message.length).toBeLessThan(150);
		expect(refused.message).not.toContain('4155550101');
	});
});

it('a long list may be cut between two entries, so that n8n answers others meanwhile', async () => {
	await read('0171 2345678, 0171 2345679, 0171 2345670');
	expect(rests).toBe(3);
});

it('an entry may be of two people', async () => {
	const people = ['+14792345678', '+4792345678'];
	expect(await read(['4792345678'], { callingCode: '1', iso: 'US' })).toEqual(people);
});
