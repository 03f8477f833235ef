/** The user has no token with this id, or has revoked it. */
export const apiTokenNotFound = () => ({ type: 'ApiTokenNotFound' }) as const;
export type ApiTokenNotFound = ReturnType<typeof apiTokenNotFound>;

/** The user already has an active token with this name. */
export const apiTokenNameTaken = () => ({ type: 'ApiTokenNameTaken' }) as const;
export type ApiTokenNameTaken = ReturnType<typeof apiTokenNameTaken>;

/** The token's expiry time is in the past. */
export const expiryInThePast = () => ({ type: 'ExpiryInThePast' }) as const;
export type ExpiryInThePast = ReturnType<typeof expiryInThePast>;
