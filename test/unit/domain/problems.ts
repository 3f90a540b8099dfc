/** A problem whose texts are like these. */
export const saying = (message: RegExp, remedy: RegExp, more: object = {}) => ({
	message: expect.stringMatching(message) as string,
	remedy: expect.stringMatching(remedy) as string,
	...more,
});
