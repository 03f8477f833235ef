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
  'organization.requireProvider': owners,
  'organization.liftProvider': owners,
  'organization.delete': owners,
  'organization.readAuditLog': administrators,
  'members.readTwoFactor': administrators,
  'members.manage': administrators,
  'members.manageAdmins': administrators,
  'members.manageOwners': owners,
  'members.remove': administrators,
  'members.leave': everybody,
  'invitations.read': administrators,
  'domains.write': administrators,
  'zones.read': everybody,
  'zones.create': writers,
  'zones.write': writers,
  'zones.delete': administrators,
  'deletedZones.read': administrators,
  // Settings or rules, whichever a draft or an earlier revision changes: applying it needs the permission for each.
  'contents.write': writers,
  'banToken.read': writers,
  'banToken.rotate': administrators,
  'rules.read': everybody,
  'rules.write': writers,
  'basicAuthUsers.read': everybody,
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

/**
 * What an API token may be allowed to do, in the order in which it is shown. A write permission includes reading the
 * same things; `admin` includes all others, and managing members.
 */
export const tokenPermissions = [
  'zones:read',
  'zones:write',
  'rules:write',
  'purges:write',
  'backends:write',
  'members:read',
  'audit:read',
  'admin',
] as const;
export type TokenPermission = (typeof tokenPermissions)[number];

/** What a new token may do unless its owner says otherwise: everything but `admin`. */
export const defaultTokenPermissions: readonly TokenPermission[] = tokenPermissions.filter((each) => each !== 'admin');

/** What a new token for some zones may do by default: nothing that reaches beyond them. */
export const defaultZoneTokenPermissions: readonly TokenPermission[] = [
  'zones:read',
  'zones:write',
  'rules:write',
  'purges:write',
];

/** The permissions of which an operation needs one; the first is the one to ask for. */
export type NeededPermissions = readonly [TokenPermission, ...TokenPermission[]];

/** What reading needs: `zones:read` covers everything inside a zone, and backends. */
export const readPermissions = {
  zones: ['zones:read', 'zones:write'],
  rules: ['zones:read', 'zones:write', 'rules:write'],
  backends: ['zones:read', 'zones:write', 'backends:write'],
} as const satisfies Record<string, NeededPermissions>;

/** The permissions to write, `admin` aside. */
export const writePermissions = [
  'zones:write',
  'rules:write',
  'purges:write',
  'backends:write',
] as const satisfies NeededPermissions;

/** What a draft or an earlier revision needs: those for its settings and its rules, as far as it changes them. */
export const contentPermissions = ['zones:write', 'rules:write'] as const satisfies NeededPermissions;
