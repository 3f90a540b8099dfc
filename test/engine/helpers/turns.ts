import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

/** Whoever has something to do does it. */
export const turns = async (): Promise<void> => {
	for (let n = 0; n < 20; n++) await turn();
};

/** Waits for something that happens elsewhere. */
export const until = async (happened: () => boolean): Promise<void> => {
	while (!happened()) await delay(1);
};
