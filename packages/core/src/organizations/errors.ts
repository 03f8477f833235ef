import type { Permission } from './role.ts';

/** The caller is no member of the organization, or the role does not include the permission. */
export const permissionDenied = (permission: Permission) => ({ type: 'PermissionDenied', permission }) as const;
export type PermissionDenied = ReturnType<typeof permissionDenied>;
