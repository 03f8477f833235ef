import type { Caller, Memberships, OrganizationId, UserId } from '@zonewright/core';
import { okAsync } from 'neverthrow';
import type { PasskeyRow } from '../tables/account-rows.ts';
import type { OrganizationRow } from '../tables/organization-rows.ts';
import type { Tables, Unit } from '../tables/tables.ts';

export const memoryMemberships = ({ tables }: Unit): Memberships => ({
  lock: (organization, user) => okAsync(membershipsOf(tables, user).get(organization)),
  lockEnforcing: (user) =>
    okAsync(organizationsOf(tables, user).flatMap(([id, { enforceTwoFactor }]) => (enforceTwoFactor ? [id] : []))),
  shareOrganization: (one, other, among) =>
    okAsync(
      organizationsOf(tables, one).some(([id, { members }]) => (among?.includes(id) ?? true) && members.has(other)),
    ),
});

/** The user's passkeys. */
export const passkeysOf = ({ passkeys }: Tables, user: UserId): readonly PasskeyRow[] =>
  [...passkeys.values()].filter(({ userId }) => userId === user);

/** Whether the user has a second factor of any kind. */
export const hasSecondFactor = (tables: Tables, user: UserId): boolean =>
  usesCodes(tables, user) || passkeysOf(tables, user).length > 0;

/** Whether codes of an authenticator app are asked for; a pending setup does not count. */
export const usesCodes = ({ twoFactors }: Tables, user: UserId): boolean => {
  const row = twoFactors.get(user);
  return row !== undefined && row.pendingUntil === undefined;
};

/** The user's organizations, ordered by id. */
export const organizationsOf = ({ organizations }: Tables, user: UserId): [OrganizationId, OrganizationRow][] =>
  [...organizations].filter(([, { members }]) => members.has(user)).sort(([a], [b]) => a - b);

/** The user's role in each organization, whether its two-factor requirement is unmet, and the provider it requires. */
export const membershipsOf = (tables: Tables, user: UserId): Caller['memberships'] =>
  new Map(
    organizationsOf(tables, user).flatMap(([id, { members, enforceTwoFactor, requiredProvider }]) => {
      const role = members.get(user)?.role;
      const needsTwoFactor = enforceTwoFactor && !hasSecondFactor(tables, user);
      return role === undefined
        ? []
        : [[id, { role, needsTwoFactor, ...(requiredProvider && { requiredProvider }) }] as const];
    }),
  );

/** The row of an organization that must exist. */
export function storedOrganization({ organizations }: Tables, id: OrganizationId): OrganizationRow {
  const row = organizations.get(id);
  if (row === undefined) throw new Error('The organization does not exist.');
  return row;
}
