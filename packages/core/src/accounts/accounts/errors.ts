/** The address already belongs to an account. Responses must not reveal this. */
export const emailTaken = () => ({ type: 'EmailTaken' }) as const;
export type EmailTaken = ReturnType<typeof emailTaken>;

/** The mailed token is unknown, used, superseded or expired; callers cannot tell which. */
export const mailedTokenInvalid = () => ({ type: 'MailedTokenInvalid' }) as const;
export type MailedTokenInvalid = ReturnType<typeof mailedTokenInvalid>;

/** The credentials were right, but the address is not verified or the account is blocked. */
export const accountInactive = () => ({ type: 'AccountInactive' }) as const;
export type AccountInactive = ReturnType<typeof accountInactive>;

/** The password given as the current one is wrong. */
export const wrongCurrentPassword = () => ({ type: 'WrongCurrentPassword' }) as const;
export type WrongCurrentPassword = ReturnType<typeof wrongCurrentPassword>;

/** The password is on the blocklist, or is the account's own address. */
export const passwordTooCommon = (member: NewPasswordMember) => ({ type: 'PasswordTooCommon', member }) as const;
/** The member of a request that holds a new password. */
export type NewPasswordMember = 'password' | 'newPassword';
export type PasswordTooCommon = ReturnType<typeof passwordTooCommon>;

/** The user exists but shares no organization with the caller. */
export const userNotShared = () => ({ type: 'UserNotShared' }) as const;
export type UserNotShared = ReturnType<typeof userNotShared>;

/** Too many passwords wait to be hashed; trying again in `retryAfterSeconds` may work. */
export const hashingBusy = (retryAfterSeconds: number) => ({ type: 'HashingBusy', retryAfterSeconds }) as const;
export type HashingBusy = ReturnType<typeof hashingBusy>;

/** Nothing would be left to sign in with: neither a password, nor a passkey, nor an identity provider. */
export const lastCredential = () => ({ type: 'LastCredential' }) as const;
export type LastCredential = ReturnType<typeof lastCredential>;
