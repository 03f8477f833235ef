import type { OrganizationId } from '../shared/ids.ts';
import type { Permission } from './role.ts';

/** No credential, or one that proves nothing (any more). */
export const unauthenticated = () => ({ type: 'Unauthenticated' }) as const;
export type Unauthenticated = ReturnType<typeof unauthenticated>;

/** The caller is no member of the organization, or the role does not include the permission. */
export const permissionDenied = (permission: Permission) => ({ type: 'PermissionDenied', permission }) as const;
export type PermissionDenied = ReturnType<typeof permissionDenied>;

/** Only a person who signed in may do this: an API token never proves a second factor. */
export const sessionRequired = () => ({ type: 'SessionRequired' }) as const;
export type SessionRequired = ReturnType<typeof sessionRequired>;

/** The organization lets only members with a second factor in, and the caller has none. */
export const twoFactorRequired = (organization: OrganizationId) =>
  ({ type: 'TwoFactorRequired', organization }) as const;
export type TwoFactorRequired = ReturnType<typeof twoFactorRequired>;
