import type { UserId } from '@zonewright/core';
import { organizationsOf } from '../organizations/memberships.ts';
import { removeOrganization } from '../organizations/organizations.ts';
import type { Tables } from '../tables/tables.ts';

/** Removes an account with all that belongs to it. An organization is deleted with its only member. */
export function removeAccount(tables: Tables, user: UserId): void {
  for (const [id, row] of organizationsOf(tables, user)) {
    const members = new Map([...row.members].filter(([other]) => other !== user));
    if (members.size === 0) removeOrganization(tables, id);
    else tables.organizations.set(id, { ...row, members });
  }
  const isTheirs = ({ userId }: { readonly userId: UserId }) => userId === user;
  for (const rows of [
    tables.mailedTokens,
    tables.addressChanges,
    tables.challenges,
    tables.passkeys,
    tables.apiTokens,
    tables.identities,
  ]) {
    void removeFrom<unknown, { readonly userId: UserId }>(rows, isTheirs);
  }
  tables.twoFactors.delete(user);
  tables.recoveryCodes.delete(user);
  tables.users.delete(user);
}

/** Removes rows; resolves to their number. */
export function removeFrom<K, Row>(rows: Map<K, Row>, isUnneeded: (row: Row) => boolean): number {
  const keys = [...rows].filter(([, row]) => isUnneeded(row)).map(([key]) => key);
  for (const key of keys) rows.delete(key);
  return keys.length;
}
