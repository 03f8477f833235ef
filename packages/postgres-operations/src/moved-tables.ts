/** A table with rows of organizations. */
export interface MovedTable {
  readonly name: string;
  /** SQL condition for the rows of the organization with number `$1`. */
  readonly condition: string;
  /** Columns whose values the target database assigns. */
  readonly assigned?: readonly string[];
  /** Whether rows stay in the database after the organization has left it. */
  readonly outlivesOrganization?: boolean;
}

const ofOrganization = 'organization_id = $1';
const ofZones = 'zone_id IN (SELECT id FROM zones WHERE organization_id = $1)';
const ofIdentities = 'zone_id IN (SELECT id FROM zone_identities WHERE organization_id = $1)';

/**
 * The tables that move with an organization, in an order that satisfies foreign keys; `organizations` itself comes
 * before them. None has values that depend on an installation's keys.
 */
export const movedTables: readonly MovedTable[] = [
  { name: 'memberships', condition: ofOrganization },
  { name: 'invitations', condition: ofOrganization },
  { name: 'organization_retention', condition: ofOrganization },
  { name: 'origin_servers', condition: ofOrganization },
  { name: 'load_balancers', condition: ofOrganization },
  { name: 'load_balancer_origins', condition: ofOrganization },
  { name: 'backend_revisions', condition: ofOrganization },
  { name: 'zone_identities', condition: ofOrganization },
  { name: 'zones', condition: ofOrganization },
  { name: 'zone_settings', condition: ofZones },
  { name: 'rules', condition: ofZones },
  { name: 'rule_lists', condition: ofZones },
  { name: 'basic_auth_users', condition: ofZones },
  { name: 'zone_revisions', condition: ofIdentities },
  { name: 'zone_backends', condition: ofIdentities },
  { name: 'change_sets', condition: ofIdentities },
  { name: 'promotions', condition: ofIdentities },
  { name: 'deleted_zones', condition: ofOrganization },
  { name: 'audit_log', condition: ofOrganization, assigned: ['id'], outlivesOrganization: true },
];

/** Every write to an organization locks a row in one of these tables, so locking all their rows blocks writes. */
export const lockedTables = ['memberships', 'origin_servers', 'load_balancers', 'zones', 'zone_identities'] as const;
