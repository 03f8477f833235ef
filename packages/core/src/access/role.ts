/** Roles in an organization, the mightiest first. */
export const roles = ['owner', 'admin', 'editor', 'viewer'] as const;
export type Role = (typeof roles)[number];

const everybody: readonly Role[] = roles;
const writers: readonly Role[] = ['owner', 'admin', 'editor'];
const administrators: readonly Role[] = ['owner', 'admin'];
const owners: readonly Role[] = ['owner'];

/** The permission matrix: what which role may do. There is no other place that decides on a role. */
const matrix = {
  'organization.read': everybody,
  'organization.rename': administrators,
  'organization.enforceTwoFactor': owners,
  'organization.delete': owners,
  'organization.readAuditLog': administrators,
  'members.readTwoFactor': administrators,
  'members.manage': administrators,
  'members.manageAdmins': administrators,
  'members.manageOwners': owners,
  'members.remove': administrators,
  'members.leave': everybody,
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

/** A thing that roles may do, named `<what>.<action>`. */
export type Permission = keyof typeof matrix;

/** The roles that include a permission: by them storage leaves out what the caller may not see. */
export const rolesThatMay = (permission: Permission): readonly Role[] => matrix[permission];

/** Whether the role alone permits it; credentials and two-factor demands may still forbid it. */
export const permits = (role: Role, permission: Permission): boolean => rolesThatMay(permission).includes(role);

/** What it takes to give or take a role: owners are made and unmade by owners only. */
export function permissionToManage(role: Role): Permission {
  if (role === 'owner') return 'members.manageOwners';
  return role === 'admin' ? 'members.manageAdmins' : 'members.manage';
}
