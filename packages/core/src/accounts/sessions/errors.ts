/** Unknown address or wrong password; callers cannot tell which. */
export const invalidCredentials = () => ({ type: 'InvalidCredentials' }) as const;
export type InvalidCredentials = ReturnType<typeof invalidCredentials>;

/** The refresh token is unknown or expired, its session has ended, or another request is using it right now. */
export const refreshTokenInvalid = () => ({ type: 'RefreshTokenInvalid' }) as const;
export type RefreshTokenInvalid = ReturnType<typeof refreshTokenInvalid>;

/**
 * The refresh token was already used: all sessions of the user have been ended (interface, "Authentication", rule 2).
 */
export const refreshTokenReused = () => ({ type: 'RefreshTokenReused' }) as const;
export type RefreshTokenReused = ReturnType<typeof refreshTokenReused>;

/** The challenge is unknown, used, expired, void or out of attempts: sign in again. */
export const challengeInvalid = () => ({ type: 'ChallengeInvalid' }) as const;
export type ChallengeInvalid = ReturnType<typeof challengeInvalid>;

/** The user has no live session with this id. */
export const sessionNotFound = () => ({ type: 'SessionNotFound' }) as const;
export type SessionNotFound = ReturnType<typeof sessionNotFound>;
