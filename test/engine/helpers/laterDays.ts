/** In each test, now is so many days later than it is. */
export function laterDays(): { by: number } {
	const days = { by: 0 };
	const { now } = Date;
	beforeEach(() => {
		days.by = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => now.call(Date) + days.by * 86_400_000);
	});
	afterEach(() => {
		jest.restoreAllMocks();
	});
	return days;
}
