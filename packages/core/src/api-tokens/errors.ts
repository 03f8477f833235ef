/** The user has no token of this id, or has revoked it. */
export const apiTokenNotFound = () => ({ type: 'ApiTokenNotFound' }) as const;
export type ApiTokenNotFound = ReturnType<typeof apiTokenNotFound>;

/** The user has an active token of this name. */
export const apiTokenNameTaken = () => ({ type: 'ApiTokenNameTaken' }) as const;
export type ApiTokenNameTaken = ReturnType<typeof apiTokenNameTaken>;

/** The moment at which the token is to expire has passed. */
export const expiryInThePast = () => ({ type: 'ExpiryInThePast' }) as const;
export type ExpiryInThePast = ReturnType<typeof expiryInThePast>;
