/** Roles in an organization, the mightiest first. */
export const roles = ['owner', 'admin', 'editor', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** The permission matrix: what which role may do. There is no other place that decides on a role. */
const rolesThatMay = {
  'zones.read': ['owner', 'admin', 'editor', 'viewer'],
  'zones.create': ['owner', 'admin', 'editor'],
  'zones.delete': ['owner', 'admin'],
  'banToken.read': ['owner', 'admin', 'editor'],
  'rules.write': ['owner', 'admin', 'editor'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof rolesThatMay;

export const permits = (role: Role, permission: Permission): boolean =>
  (rolesThatMay[permission] as readonly Role[]).includes(role);
