/** Another edge has the name. */
export const edgeNameTaken = () => ({ type: 'EdgeNameTaken' }) as const;
export type EdgeNameTaken = ReturnType<typeof edgeNameTaken>;

/** There is no edge with this name. */
export const edgeNotFound = () => ({ type: 'EdgeNotFound' }) as const;
export type EdgeNotFound = ReturnType<typeof edgeNotFound>;

/** The token is unknown, used or expired. */
export const enrolmentTokenInvalid = () => ({ type: 'EnrolmentTokenInvalid' }) as const;
export type EnrolmentTokenInvalid = ReturnType<typeof enrolmentTokenInvalid>;

/** No edge has this key. */
export const edgeKeyInvalid = () => ({ type: 'EdgeKeyInvalid' }) as const;
export type EdgeKeyInvalid = ReturnType<typeof edgeKeyInvalid>;

/** Another process reports with the same key. */
export const edgeKeyInUse = () => ({ type: 'EdgeKeyInUse' }) as const;
export type EdgeKeyInUse = ReturnType<typeof edgeKeyInUse>;

/** No document with this digest is published (any more). */
export const edgeDocumentNotFound = () => ({ type: 'EdgeDocumentNotFound' }) as const;
export type EdgeDocumentNotFound = ReturnType<typeof edgeDocumentNotFound>;

/** No change of the zone waits for anything. */
export const nothingToRelease = () => ({ type: 'NothingToRelease' }) as const;
export type NothingToRelease = ReturnType<typeof nothingToRelease>;
