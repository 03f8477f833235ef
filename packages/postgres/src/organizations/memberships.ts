import type { Membership, Memberships, OrganizationId, ProviderId, Role, UserId } from '@zonewright/core';
import { okAsync, type ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { column, maybe, value } from '../connection/query.ts';
import { sql } from '../sql.ts';

interface LockedRow {
  readonly role: Role;
  readonly enforced: boolean;
  readonly requiredProvider: ProviderId | null;
}

/** The provider that a row requires, as a member of a membership. */
export const requirement = ({
  requiredProvider,
}: {
  readonly requiredProvider: ProviderId | null;
}): Pick<Membership, 'requiredProvider'> => (requiredProvider === null ? {} : { requiredProvider });

/** The membership in a row of something else; undefined if there is none. */
export const membershipIn = ({
  role,
  needsTwoFactor,
  ...row
}: {
  readonly role: Role | null;
  readonly needsTwoFactor: boolean | null;
  readonly requiredProvider: ProviderId | null;
}): Membership | undefined =>
  role === null ? undefined : { role, needsTwoFactor: needsTwoFactor ?? false, ...requirement(row) };

export const postgresMemberships = (on: Connection): Memberships => ({
  lock: (organization, user) =>
    maybe<LockedRow>(on, sql.memberships.lock, { organization, user }).andThen((row) =>
      row === undefined
        ? okAsync(undefined)
        : lacksSecondFactor(on, user, row).map((needsTwoFactor) => ({
            role: row.role,
            needsTwoFactor,
            ...requirement(row),
          })),
    ),
  lockEnforcing: (user) => column<OrganizationId>(on, sql.memberships.lockEnforcing, { user }),
  shareOrganization: (first, second, among) =>
    value<boolean>(on, sql.memberships.shareOrganization, { first, second, among: among ?? null }),
});

/** Read after the organization is locked, to notice a second factor disabled before the organization required one. */
const lacksSecondFactor = (
  on: Connection,
  user: UserId,
  { enforced }: { readonly enforced: boolean },
): ResultAsync<boolean, never> =>
  enforced ? value<boolean>(on, sql.twoFactor.isEnabled, { user }).map((enabled) => !enabled) : okAsync(false);
