/** How to select a table's rows of the organization with number `$1`. */
interface MovedTable {
  readonly name: string;
  readonly rows: string;
  /** Columns numbered by the target database. */
  readonly numbered?: readonly string[];
}

const ofOrganization = 'organization_id = $1';
const ofZones = 'zone_id IN (SELECT id FROM zones WHERE organization_id = $1)';
const ofIdentities = 'zone_id IN (SELECT id FROM zone_identities WHERE organization_id = $1)';

/** Tables with rows of an organization besides its own, in insertion order. */
export const movedTables: readonly MovedTable[] = [
  { name: 'memberships', rows: ofOrganization },
  { name: 'invitations', rows: ofOrganization },
  { name: 'organization_retention', rows: ofOrganization },
  { name: 'origin_servers', rows: ofOrganization },
  { name: 'load_balancers', rows: ofOrganization },
  { name: 'load_balancer_origins', rows: ofOrganization },
  { name: 'backend_revisions', rows: ofOrganization },
  { name: 'zone_identities', rows: ofOrganization },
  { name: 'zones', rows: ofOrganization },
  { name: 'zone_settings', rows: ofZones },
  { name: 'rules', rows: ofZones },
  { name: 'rule_lists', rows: ofZones },
  { name: 'basic_auth_users', rows: ofZones },
  { name: 'zone_revisions', rows: ofIdentities },
  { name: 'zone_backends', rows: ofIdentities },
  { name: 'change_sets', rows: ofIdentities },
  { name: 'promotions', rows: ofIdentities },
  { name: 'deleted_zones', rows: ofOrganization },
  { name: 'audit_log', rows: ofOrganization, numbered: ['id'] },
];

/** Tables in which every writer locks a row: locking them keeps the organization unchanged. */
export const heldTables = ['memberships', 'origin_servers', 'load_balancers', 'zones', 'zone_identities'] as const;
