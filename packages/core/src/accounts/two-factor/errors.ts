import type { OrganizationId } from '../../kernel/shared/ids.ts';

/** The code is wrong, expired or already used; callers cannot tell which. */
export const invalidVerificationCode = () => ({ type: 'InvalidVerificationCode' }) as const;
export type InvalidVerificationCode = ReturnType<typeof invalidVerificationCode>;

/** Two-factor authentication is already enabled. */
export const twoFactorAlreadyEnabled = () => ({ type: 'TwoFactorAlreadyEnabled' }) as const;
export type TwoFactorAlreadyEnabled = ReturnType<typeof twoFactorAlreadyEnabled>;

/** There is no setup to confirm: none was started, it expired, or it has been confirmed. */
export const twoFactorNotPending = () => ({ type: 'TwoFactorNotPending' }) as const;
export type TwoFactorNotPending = ReturnType<typeof twoFactorNotPending>;

/** Two-factor authentication is not enabled; a pending setup does not count. */
export const twoFactorNotEnabled = () => ({ type: 'TwoFactorNotEnabled' }) as const;
export type TwoFactorNotEnabled = ReturnType<typeof twoFactorNotEnabled>;

/** One of the user's organizations requires two-factor authentication (interface, "Authentication", rule 6). */
export const twoFactorEnforced = (organization: OrganizationId) =>
  ({ type: 'TwoFactorEnforced', organization }) as const;
export type TwoFactorEnforced = ReturnType<typeof twoFactorEnforced>;
