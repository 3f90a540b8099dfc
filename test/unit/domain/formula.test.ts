import { formulaCode } from '../../../nodes/OutboundCalls/domain/formula';

it.each([
	['+14155550101 #N/A', '#N/A'],
	['#REF! 2026-12-01', '#REF!'],
	['#DIV/0!', '#DIV/0!'],
	['#NAME?', '#NAME?'],
	['+4930901821-#N/A', '#N/A'],
	['+4930901821#I/T', '#I/T'],
	['spring|Loading...', 'Loading...'],
	['spring #BEZUG!', '#BEZUG!'],
	['#NV', '#NV'],
	['#¡REF!', '#¡REF!'],
	['#Δ/Υ', '#Δ/Υ'],
	['#GETTING_DATA', '#GETTING'],
	['+14155550101 Loading...', 'Loading...'],
])('%s: a cell in which a formula has no value', (text, code) => {
	expect(formulaCode(text)).toBe(code);
});

it.each([
	'+14155550101 2026-12-01',
	'#1001',
	'#NV-1001',
	'Unit #A/B',
	'Ticket #42?',
	'#SALE2026!',
	'#sale!',
	'Loading the van...',
])('%s: a text like others', (text) => {
	expect(formulaCode(text)).toBeUndefined();
});
