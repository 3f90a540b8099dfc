import { whyUnusable } from '../../../../nodes/OutboundCalls/domain/values/unusableText';

it.each<[string, RegExp, RegExp]>([
	['{{ $json.name }}', /expression as plain text/, /from Fixed to Expression/],
	['Hello {{ $json.name }}!', /expression as plain text/, /from Fixed to Expression/],
	['Dear [object Object]', /turned into text/, /Pick one of its fields/],
	...[
		...['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NULL!', '#NUM!', '#ERROR!', '#SPILL!'],
		...['#BEZUG!', '#NV', '#¡REF!', ' #N/A ', '#N/D', '#I/T', '#ДЕЛ/0!', '#Н/Д', '#YOK', '####'],
	].map((code): [string, RegExp, RegExp] => [code, /"#.*sheet/, /Correct the formula/]),
	['Err:508', /"Err:508".*sheet/, /Correct the formula/],
	['Loading...', /"Loading\.\.\.".*sheet/, /Correct the formula/],
	...[
		...['undefined', 'NaN', 'Invalid Date', 'Invalid DateTime', ' NaN ', 'Ann undefined'],
		...['NaN euros', 'on Invalid DateTime', 'undefined, Ann', 'Hello undefined!', '(NaN)'],
	].map((text): [string, RegExp, RegExp] => [text, /expression.*no value/, /column names/]),
])('%j is not sent: the message names the cause and the remedy', (text, holds, remedy) => {
	expect(whyUnusable(text)).toEqual({
		holds: expect.stringMatching(holds),
		remedy: expect.stringMatching(remedy),
	});
});

it.each([
	...['', 'Ada', '#1001', 'Unit #A/B', 'Ticket #42?', '#sale!', '#NV-1001', 'your #N/A cell'],
	...['Undefined Ltd', 'naan bread', 'Banana NaNa', 'undefinedly', 'null', 'None', 'Null', 'Error'],
	...['{ name }', 'Loading the van...', '[object]', '#1 Fan', 'N/A', '# 12'],
	...['Invalid', 'Err', '##'],
])('%j is text like any other', (text) => {
	expect(whyUnusable(text)).toBeUndefined();
});
