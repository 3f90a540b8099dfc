import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { readOptedOut } from '../../../nodes/OutboundCalls/domain/optOuts';
import { saying } from './problems';

const says = (cell: unknown) => {
	const checked = readOptedOut(cell);
	return checked.ok ? (checked.value ? 'optedOut' : 'callable') : 'unreadable';
};

/** The cells between the tildes. */
const cells = (text: string): string[] => text.split('~').map((cell) => cell.trim());

it.each<unknown>([
	...cells(
		'true ~ TRUE ~ yes ~ Yes. ~ YES ~ y ~ Y ~ 1 ~ x ~ X ~ on ~ ✓ ~ ✔️ ~ ☑️ ~ ✅ ~ stop ~ STOP!',
	),
	...cells('Stop ~ opt out ~ opt-out ~ OptOut ~ opted out ~ Opted-Out ~ opted_out ~ unsubscribe'),
	...cells('Unsubscribed ~ "unsubscribed" ~ do not call ~ Do-Not-Call ~ do_not_call ~ DNC'),
	...cells("don't call ~ don’t call ~ ja ~ Ja ~ si ~ Sí ~ oui ~ sim ~ WAHR ~ VRAI ~ VERDADERO"),
	...cells('VERO ~ VERDADEIRO ~ WAAR ~ PRAWDA ~ ИСТИНА ~ 2026-11-23 ~ 2026-11-23T09:00:00Z'),
	...cells('2026-11-23 09:00 ~ 23.11.2026 ~ 11/23/2026 ~ 1/2/26 ~ 2026/11/23 ~ 23-11-2026, 09:00'),
	...[true, 1, ' YES ', new Date(0), DateTime.now()],
])('%p: do not call', (cell) => {
	expect(says(cell)).toBe('optedOut');
});

it.each<unknown>([
	...cells(
		'false ~ FALSE ~ no ~ No ~ NO. ~ n ~ 0 ~ off ~ none ~ ☐ ~ subscribed ~ opted in ~ opt-in',
	),
	...cells('nein ~ non ~ não ~ FALSCH ~ FAUX ~ FALSO ~ ONWAAR ~ FAŁSZ ~ ЛОЖЬ ~ nej ~ nei ~ FALSK'),
	...cells('FALSKT ~ USANN'),
	...[false, 0, null, undefined, '', '  ', '\u200b'],
])('%p: may be called', (cell) => {
	expect(says(cell)).toBe('callable');
});

it.each<unknown>([
	...cells('maybe ~ ? ~ - ~ _ ~ . ~ ! ~ "" ~ n/a ~ yes and no ~ not yet ~ no stop ~ tomorrow ~ 2'),
	...cells('10:30 ~ Bob ~ 2026 ~ +14155550101'),
	...[2, -1, 0.5, NaN, 46_381, {}, [], [['yes']], ['yes'], ['no'], { toISODate: true }],
	...[Symbol.iterator, () => true, 'x'.repeat(61)],
])('%p is refused: the row is not called', (cell) => {
	expect(says(cell)).toBe('unreadable');
});

it('a refusal names what it read, and what to write', () => {
	expect(readOptedOut('maybe')).toEqual({
		ok: false,
		error: saying(/Opted Out is "maybe".*yes nor no/, /Write yes/),
	});
});

it('only empty cells and words for no are leave to call', () => {
	const words = cells(
		' ~ false ~ no ~ n ~ 0 ~ off ~ none ~ null ~ nein ~ non ~ nee ~ nie ~ falsch ~ faux ~ falso ~ onwaar',
	);
	fc.assert(
		fc.property(fc.oneof(fc.string(), fc.anything()), (cell) => {
			const isLeave =
				typeof cell === 'string' ? words.includes(cell.replace(/\W/g, '').toLowerCase()) : !cell;
			expect(says(cell) !== 'callable' || isLeave).toBe(true);
		}),
	);
});
