/** The address belongs to an account already. Callers are told so only in general words. */
export const emailTaken = () => ({ type: 'EmailTaken' }) as const;
export type EmailTaken = ReturnType<typeof emailTaken>;

/** The mailed token is unknown, spent, superseded or expired; which of these is nobody's business. */
export const mailedTokenInvalid = () => ({ type: 'MailedTokenInvalid' }) as const;
export type MailedTokenInvalid = ReturnType<typeof mailedTokenInvalid>;

/** The account exists and the credential was right, but the address is not verified or the account is switched off. */
export const accountInactive = () => ({ type: 'AccountInactive' }) as const;
export type AccountInactive = ReturnType<typeof accountInactive>;

export const accountNotFound = () => ({ type: 'AccountNotFound' }) as const;
export type AccountNotFound = ReturnType<typeof accountNotFound>;

/** Too many passwords wait to be hashed; trying again in `retryAfterSeconds` may work. */
export const hashingBusy = (retryAfterSeconds: number) => ({ type: 'HashingBusy', retryAfterSeconds }) as const;
export type HashingBusy = ReturnType<typeof hashingBusy>;
