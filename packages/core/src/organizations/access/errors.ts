import type { ApiTokenId, OrganizationId, UserId } from '../../kernel/shared/ids.ts';
import type { ConfirmationMethod } from './caller.ts';
import type { Permission, TokenPermission } from './role.ts';

/** The credential is missing, invalid, expired or revoked. */
export const unauthenticated = () => ({ type: 'Unauthenticated' }) as const;
export type Unauthenticated = ReturnType<typeof unauthenticated>;

/** The API token is live, but not for use from this network. Clients learn no more than of an unknown token. */
export const foreignNetwork = (user: UserId, apiToken: ApiTokenId) =>
  ({ type: 'ForeignNetwork', user, apiToken }) as const;
export type ForeignNetwork = ReturnType<typeof foreignNetwork>;

/** The API token lacks the permission; another one may include it. */
export const permissionMissing = (permission: TokenPermission) => ({ type: 'PermissionMissing', permission }) as const;
export type PermissionMissing = ReturnType<typeof permissionMissing>;

/** The caller is not a member of the organization, or their role lacks the permission. */
export const permissionDenied = (permission: Permission) => ({ type: 'PermissionDenied', permission }) as const;
export type PermissionDenied = ReturnType<typeof permissionDenied>;

/** Only a signed-in person may do this: an API token never proves a second factor. */
export const sessionRequired = () => ({ type: 'SessionRequired' }) as const;
export type SessionRequired = ReturnType<typeof sessionRequired>;

/** The organization admits only members with two-factor authentication, and the caller has not enabled it. */
export const twoFactorRequired = (organization: OrganizationId) =>
  ({ type: 'TwoFactorRequired', organization }) as const;
export type TwoFactorRequired = ReturnType<typeof twoFactorRequired>;

/** The organization admits only members who signed in by this provider, and the session did not come from it. */
export const providerRequired = (organization: OrganizationId, provider: string) =>
  ({ type: 'ProviderRequired', organization, provider }) as const;
export type ProviderRequired = ReturnType<typeof providerRequired>;

/** The session must be confirmed first, by one of these methods: it may be in the hands of somebody else by now. */
export const confirmationRequired = (methods: readonly ConfirmationMethod[]) =>
  ({ type: 'ConfirmationRequired', methods }) as const;
export type ConfirmationRequired = ReturnType<typeof confirmationRequired>;

/** No account has this id (any longer). */
export const accountNotFound = () => ({ type: 'AccountNotFound' }) as const;
export type AccountNotFound = ReturnType<typeof accountNotFound>;
