/** In each test, now is so many days later than it is. */
export function laterDays(): { by: number } {
	const days = { by: 0 };
	beforeEach(() => {
		const { now } = Date;
		days.by = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => now() + days.by * 86_400_000);
	});
	afterEach(() => {
		jest.restoreAllMocks();
	});
	return days;
}
