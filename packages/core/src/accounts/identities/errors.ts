/** The operator has configured no provider with this id. */
export const providerNotFound = () => ({ type: 'ProviderNotFound' }) as const;
export type ProviderNotFound = ReturnType<typeof providerNotFound>;

/** The provider does not answer, or not in time. `reason` is for the log and contains no secrets. */
export const providerUnavailable = (reason: string) =>
  ({ type: 'ProviderUnavailable', reason, retryAfterSeconds: 10 }) as const;
export type ProviderUnavailable = ReturnType<typeof providerUnavailable>;

/** What the provider said does not prove who signed in. `reason` is for the log and contains no secrets. */
export const attestationRefused = (reason: string) => ({ type: 'AttestationRefused', reason }) as const;
export type AttestationRefused = ReturnType<typeof attestationRefused>;

/** The provider has let nobody in, for example because the person declined. `reason` is the provider's error code. */
export const signInDeclined = (reason: string) => ({ type: 'SignInDeclined', reason }) as const;
export type SignInDeclined = ReturnType<typeof signInDeclined>;

/** The flow was not begun here and now, is over, or was completed before. `reason` is for the log. */
export const flowInvalid = (reason: string) => ({ type: 'FlowInvalid', reason }) as const;
export type FlowInvalid = ReturnType<typeof flowInvalid>;

/**
 * The identity is not linked, and an account has its address. Identities are never linked by address: the owner signs in
 * as before and links it.
 */
export const accountExists = () => ({ type: 'AccountExists' }) as const;
export type AccountExists = ReturnType<typeof accountExists>;

/** An account, or one of these domains, needs an address, and the provider has verified none. */
export const noVerifiedAddress = () => ({ type: 'NoVerifiedAddress' }) as const;
export type NoVerifiedAddress = ReturnType<typeof noVerifiedAddress>;

/** The operator admits only addresses of other domains by this provider. */
export const domainNotAllowed = () => ({ type: 'DomainNotAllowed' }) as const;
export type DomainNotAllowed = ReturnType<typeof domainNotAllowed>;

/** The identity is linked to another account. */
export const identityTaken = () => ({ type: 'IdentityTaken' }) as const;
export type IdentityTaken = ReturnType<typeof identityTaken>;

/** The account has another identity of this provider. */
export const providerAlreadyLinked = () => ({ type: 'ProviderAlreadyLinked' }) as const;
export type ProviderAlreadyLinked = ReturnType<typeof providerAlreadyLinked>;

/** The account has no such identity. */
export const identityNotFound = () => ({ type: 'IdentityNotFound' }) as const;
export type IdentityNotFound = ReturnType<typeof identityNotFound>;
