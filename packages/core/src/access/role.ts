/** Roles in an organization, from most to least privileged. */
export const roles = ['owner', 'admin', 'editor', 'viewer'] as const;
export type Role = (typeof roles)[number];

const everybody: readonly Role[] = roles;
const writers: readonly Role[] = ['owner', 'admin', 'editor'];
const administrators: readonly Role[] = ['owner', 'admin'];
const owners: readonly Role[] = ['owner'];

/** The permission matrix: the roles that have each permission. Nothing else decides by role. */
const matrix = {
  'organization.read': everybody,
  'organization.rename': administrators,
  'organization.enforceTwoFactor': owners,
  'organization.liftTwoFactor': owners,
  'organization.delete': owners,
  'organization.readAuditLog': administrators,
  'members.readTwoFactor': administrators,
  'members.manage': administrators,
  'members.manageAdmins': administrators,
  'members.manageOwners': owners,
  'members.remove': administrators,
  'members.leave': everybody,
  'domains.write': administrators,
  'zones.read': everybody,
  'zones.create': writers,
  'zones.write': writers,
  'zones.delete': administrators,
  'banToken.read': writers,
  'banToken.rotate': administrators,
  'rules.write': writers,
  'basicAuthUsers.write': writers,
  'backends.read': everybody,
  'backends.write': writers,
} as const satisfies Record<string, readonly Role[]>;

/** A permission, named `<resource>.<action>`. */
export type Permission = keyof typeof matrix;

/** Whether the role includes the permission; the credential or the two-factor requirement may still forbid it. */
export const permits = (role: Role, permission: Permission): boolean => {
  const roles: readonly Role[] = matrix[permission];
  return roles.includes(role);
};

/** The permission needed to grant or revoke a role: only owners manage owners. */
export function permissionToManage(role: Role): Permission {
  if (role === 'owner') return 'members.manageOwners';
  return role === 'admin' ? 'members.manageAdmins' : 'members.manage';
}
