/**
 * Whom the runs of this process are calling, or have called and still wait for, where people who were reached are not called again
 * (Stop When Reached): as long as a run does not know how its call ends, another run would call somebody who talks, or was reached.
 *
 * To a run, the person of a row is
 * - free: no other run holds them;
 * - held: by the run, from the moment in which it counts the call until it has learned of all of its calls, or the row was released;
 * - another run's: not called. Whoever was not reached is free again when that run ends.
 *
 * What is traded: only the process knows it. Runs of other processes call, and so does the next run when the process has died.
 */
export class OpenCalls {
	/** Runs under way, by the list of keys that they share. */
	private static readonly runs = new Map<string, Set<OpenCalls>>();

	/** How many calls of this run a person has. */
	private readonly calls = new Map<string, number>();

	/** To be closed when the run has learned of its calls. `list`: of those who know each other. */
	constructor(private readonly list: string) {}

	isOfAnotherRun(person: string): boolean {
		return [...(OpenCalls.runs.get(this.list) ?? [])].some(
			(run) => run !== this && run.calls.has(person),
		);
	}

	hold(person: string): void {
		const runs = OpenCalls.runs.get(this.list) ?? new Set();
		OpenCalls.runs.set(this.list, runs.add(this));
		this.calls.set(person, (this.calls.get(person) ?? 0) + 1);
	}

	letGo(person: string): void {
		const others = (this.calls.get(person) ?? 0) - 1;
		if (others > 0) this.calls.set(person, others);
		else this.calls.delete(person);
	}

	close(): void {
		const runs = OpenCalls.runs.get(this.list);
		runs?.delete(this);
		if (runs?.size === 0) OpenCalls.runs.delete(this.list);
	}
}
