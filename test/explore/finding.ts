/** Something that a seed showed. */
export interface Finding {
	/** A campaign, or the file and the name of a test. */
	what: string;
	seed: number;
	found: string;
	/** The command that shows it again. */
	replay: string;
}
