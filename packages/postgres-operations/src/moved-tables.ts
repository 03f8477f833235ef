/** A table with rows of organizations. */
export interface MovedTable {
  readonly name: string;
  /** The table that its rows refer to, by the organization's number or by a zone's id; `organizations` by default. */
  readonly owner?: keyof typeof owners;
  /** Columns whose values the target database assigns. */
  readonly assigned?: readonly string[];
  /** Whether rows stay in the database after the organization has left it, and may name users that do not exist. */
  readonly outlivesOrganization?: boolean;
}

/** Where the rows of an organization are: those whose `key` is the id of an owner whose `ownerKey` is its number. */
export interface RowNames {
  readonly table: string;
  readonly owners: string;
  readonly key: string;
  readonly ownerKey: string;
}

const owners = {
  organizations: { owners: 'organizations', key: 'organization_id', ownerKey: 'id' },
  zones: { owners: 'zones', key: 'zone_id', ownerKey: 'organization_id' },
  zone_identities: { owners: 'zone_identities', key: 'zone_id', ownerKey: 'organization_id' },
} as const satisfies Record<string, Omit<RowNames, 'table'>>;

/** Names for statements on the rows of an organization in the table. */
export const namesOf = ({ name, owner = 'organizations' }: MovedTable): RowNames => ({ table: name, ...owners[owner] });

/**
 * The tables that move with an organization, in an order that satisfies foreign keys; `organizations` itself comes
 * before them. Only zones have values that depend on an installation's keys: their ban tokens, which have to be rotated.
 */
export const movedTables: readonly MovedTable[] = [
  { name: 'memberships' },
  { name: 'invitations' },
  { name: 'organization_retention' },
  { name: 'origin_servers' },
  { name: 'load_balancers' },
  { name: 'load_balancer_origins' },
  { name: 'backend_revisions' },
  { name: 'domains' },
  { name: 'zone_identities' },
  { name: 'zones' },
  { name: 'host_names', owner: 'zones' },
  { name: 'zone_deletions' },
  { name: 'zone_settings', owner: 'zone_identities' },
  { name: 'rules', owner: 'zone_identities' },
  { name: 'rule_lists', owner: 'zone_identities' },
  { name: 'basic_auth_users', owner: 'zone_identities' },
  { name: 'zone_revisions', owner: 'zone_identities' },
  { name: 'retired_rules', owner: 'zone_identities' },
  { name: 'zone_backends', owner: 'zone_identities' },
  { name: 'change_sets', owner: 'zone_identities' },
  { name: 'promotions', owner: 'zone_identities' },
  { name: 'audit_log', assigned: ['id'], outlivesOrganization: true },
];

/** Every write to an organization locks a row in one of these tables, so locking all their rows blocks writes. */
export const lockedTables = [
  'memberships',
  'origin_servers',
  'load_balancers',
  'domains',
  'zones',
  'zone_identities',
] as const;
