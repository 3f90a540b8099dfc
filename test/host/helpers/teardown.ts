/** What was set up and must be undone: in reverse order, each part once, even if another part fails. */
export class Teardown {
	private readonly parts: Array<() => Promise<void>> = [];

	add(undo: () => Promise<void>): void {
		this.parts.push(undo);
	}

	/** Undoes everything, then rejects with what went wrong. */
	async run(): Promise<void> {
		const complaints: unknown[] = [];
		for (let undo = this.parts.pop(); undo; undo = this.parts.pop()) {
			await undo().catch((complaint: unknown) => complaints.push(complaint));
		}
		if (complaints.length > 0)
			throw new AggregateError(complaints, complaints.map(String).join('\n'));
	}
}
