import { OpenCalls } from '../../../nodes/OutboundCalls/claims/openCalls';

const ADA = '+15550101000';

it('a person is another run’s as long as that run holds one of their calls', () => {
	const [one, other] = [new OpenCalls('workflow'), new OpenCalls('workflow')];
	one.hold(ADA);
	one.hold(ADA);
	expect([one.isOfAnotherRun(ADA), other.isOfAnotherRun(ADA)]).toEqual([false, true]);
	one.letGo(ADA);
	expect(other.isOfAnotherRun(ADA)).toBe(true);
	one.letGo(ADA);
	expect(other.isOfAnotherRun(ADA)).toBe(false);
	one.close();
	other.close();
});

it('a run that has ended holds nobody, and only runs that share a list know each other', () => {
	const [one, other, elsewhere] = [
		new OpenCalls('workflow'),
		new OpenCalls('workflow'),
		new OpenCalls('another'),
	];
	one.hold(ADA);
	expect(elsewhere.isOfAnotherRun(ADA)).toBe(false);
	one.close();
	expect(other.isOfAnotherRun(ADA)).toBe(false);
	other.hold(ADA);
	expect(one.isOfAnotherRun(ADA)).toBe(true);
	other.close();
});
