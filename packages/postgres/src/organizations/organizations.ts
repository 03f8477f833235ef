import {
  nameKey,
  type Organization,
  type Organizations,
  organizationNotFound,
  type ProviderId,
} from '@zonewright/core';
import type { Connection } from '../connection/database.ts';
import { many, one, pageOf, required, run } from '../connection/query.ts';
import { sql } from '../sql.ts';
import type { StoredLimits } from './limits.ts';

/** An organization as stored. */
export interface OrganizationRow extends Omit<Organization, 'limits' | 'requiredProvider'> {
  readonly requiredProvider: ProviderId | null;
  /** Null for none. */
  readonly ownLimits: string | null;
}

/** Adds the limits in force to an organization. */
export const organizationIn =
  (limits: StoredLimits) =>
  <Row extends OrganizationRow>({
    ownLimits,
    requiredProvider,
    ...row
  }: Row): Omit<Row, 'ownLimits' | 'requiredProvider'> & Pick<Organization, 'limits' | 'requiredProvider'> => ({
    ...row,
    ...(requiredProvider && { requiredProvider }),
    limits: limits.with(ownLimits),
  });

/** Organizations over one connection. */
export const postgresOrganizations = (on: Connection, limits: StoredLimits): Organizations => {
  const shown: (row: OrganizationRow) => Organization = organizationIn(limits);
  const organizationBy = (statement: typeof sql.organizations.byId, id: Organization['id']) =>
    required<OrganizationRow>(on, statement, { id }).mapErr(organizationNotFound).map(shown);
  return {
    create: ({ name, owner }) =>
      one<OrganizationRow>(on, sql.organizations.create, { name, nameKey: nameKey(name), owner }).map(shown),
    // Locked, so that two units cannot both count and then exceed the limit.
    lockOwned: (user) =>
      many(on, sql.accounts.lock, { id: user })
        .andThen(() => one<{ count: number; own: string | null }>(on, sql.organizations.ownedCount, { user }))
        .map(({ count, own }) => ({ used: count, limit: limits.ofUser('organizations', own) })),
    list: (ids, page) => pageOf(on, sql.organizations, { ids }, page, shown),
    byId: (id) => organizationBy(sql.organizations.byId, id),
    lock: (id) => organizationBy(sql.organizations.lock, id),
    save: (id, { name, enforceTwoFactor, requiredProvider }) =>
      one<OrganizationRow>(on, sql.organizations.save, {
        id,
        name,
        nameKey: nameKey(name),
        enforceTwoFactor,
        requiredProvider: requiredProvider ?? null,
      }).map(shown),
    remove: (id) => run(on, sql.organizations.remove, { id }),
  };
};
