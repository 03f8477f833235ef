/**
 * The response of the authenticator proves nothing: its passkey is unknown, its signature wrong, its challenge used or
 * expired, or it was made for another site, purpose or user; callers cannot tell which.
 */
export const passkeyRefused = () => ({ type: 'PasskeyRefused' }) as const;
export type PasskeyRefused = ReturnType<typeof passkeyRefused>;

/** The credential is a passkey already, of this user or another. */
export const passkeyTaken = () => ({ type: 'PasskeyTaken' }) as const;
export type PasskeyTaken = ReturnType<typeof passkeyTaken>;

/** The user has no passkey with this id. */
export const passkeyNotFound = () => ({ type: 'PasskeyNotFound' }) as const;
export type PasskeyNotFound = ReturnType<typeof passkeyNotFound>;
