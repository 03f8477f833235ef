/** The server must never guess which one counts. */
export type SeveralCredentials = Readonly<{ type: 'SeveralCredentials' }>;

/** A token in a header field or scheme that is not for it. */
export type MisplacedCredential = Readonly<{ type: 'MisplacedCredential' }>;

/** A page of another site used a visitor's cookies. */
export type ForeignOrigin = Readonly<{ type: 'ForeignOrigin' }>;

/** Too many requests of the caller wait for a request thread, or they have waited for too long. */
export type ThreadsBusy = Readonly<{ type: 'ThreadsBusy'; retryAfterSeconds: number }>;

/** The computation takes too much time or memory; it is not tried again for a while. */
export type ComputationLost = Readonly<{ type: 'ComputationLost'; retryAfterSeconds: number }>;
