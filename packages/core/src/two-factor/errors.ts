import type { OrganizationId } from '../shared/ids.ts';

/** The code is wrong, too old, or was used before; callers cannot tell which. */
export const invalidVerificationCode = () => ({ type: 'InvalidVerificationCode' }) as const;
export type InvalidVerificationCode = ReturnType<typeof invalidVerificationCode>;

/** Setup was asked for while the second factor is on. */
export const twoFactorAlreadyEnabled = () => ({ type: 'TwoFactorAlreadyEnabled' }) as const;
export type TwoFactorAlreadyEnabled = ReturnType<typeof twoFactorAlreadyEnabled>;

/** There is no setup to confirm: none was begun, it ran out, or it is confirmed already. */
export const twoFactorNotPending = () => ({ type: 'TwoFactorNotPending' }) as const;
export type TwoFactorNotPending = ReturnType<typeof twoFactorNotPending>;

/** There is no second factor to disable, or to have recovery codes for; a pending one does not count. */
export const twoFactorNotEnabled = () => ({ type: 'TwoFactorNotEnabled' }) as const;
export type TwoFactorNotEnabled = ReturnType<typeof twoFactorNotEnabled>;

/** One of the user's organizations demands the second factor (interface, "Authentication", rule 6). */
export const twoFactorEnforced = (organization: OrganizationId) =>
  ({ type: 'TwoFactorEnforced', organization }) as const;
export type TwoFactorEnforced = ReturnType<typeof twoFactorEnforced>;
