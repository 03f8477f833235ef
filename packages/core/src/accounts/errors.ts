/** The address belongs to an account already. Answers say so in general words only. */
export const emailTaken = () => ({ type: 'EmailTaken' }) as const;
export type EmailTaken = ReturnType<typeof emailTaken>;

/** The mailed token is unknown, spent, superseded or expired; callers do not learn which. */
export const mailedTokenInvalid = () => ({ type: 'MailedTokenInvalid' }) as const;
export type MailedTokenInvalid = ReturnType<typeof mailedTokenInvalid>;

/** The account exists and the credential was right, but the address is not verified or the account is switched off. */
export const accountInactive = () => ({ type: 'AccountInactive' }) as const;
export type AccountInactive = ReturnType<typeof accountInactive>;

/** The password given as the current one is not. */
export const wrongCurrentPassword = () => ({ type: 'WrongCurrentPassword' }) as const;
export type WrongCurrentPassword = ReturnType<typeof wrongCurrentPassword>;

/** The password is one of those that everybody tries first, or the account's own address. */
export const passwordTooCommon = (member: NewPasswordMember) => ({ type: 'PasswordTooCommon', member }) as const;
/** The member of a request that holds a new password. */
export type NewPasswordMember = 'password' | 'newPassword';
export type PasswordTooCommon = ReturnType<typeof passwordTooCommon>;

/** No account has this id (any more). */
export const accountNotFound = () => ({ type: 'AccountNotFound' }) as const;
export type AccountNotFound = ReturnType<typeof accountNotFound>;

/** The user exists, but is no fellow member of the caller. */
export const userNotShared = () => ({ type: 'UserNotShared' }) as const;
export type UserNotShared = ReturnType<typeof userNotShared>;

/** Too many passwords wait to be hashed; trying again in `retryAfterSeconds` may work. */
export const hashingBusy = (retryAfterSeconds: number) => ({ type: 'HashingBusy', retryAfterSeconds }) as const;
export type HashingBusy = ReturnType<typeof hashingBusy>;
