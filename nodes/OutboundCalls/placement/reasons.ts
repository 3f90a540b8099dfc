/** For a row that was on its way when an earlier try of this execution ended. */
export const UNANSWERED =
	'An earlier try of this execution sent this row and ended before the API answered, so the call may have been placed. This node does not send it again, so that nobody is called twice. Look at the outbound calls page of your dashboard before you call the number again.';

/** For a number that the other placing operation called before the operation was changed. */
export const CALLED_OTHERWISE = 'An earlier try of this execution called this number with another operation of this node.';
