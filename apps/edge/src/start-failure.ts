/** A failure to start that a person can fix; the message is one line, printed as it is. */
export class StartFailure extends Error {}
