import { type AccountErasures, accountNotFound, emailKey, type UserId } from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { revokeInvitationsBy } from '../organizations/invitations.ts';
import { organizationsOf } from '../organizations/memberships.ts';
import { zoneCount } from '../organizations/organizations.ts';
import type { Tables, Unit } from '../tables/tables.ts';
import { removeAccount, removeFrom } from './removal.ts';

export const memoryAccountErasures = (unit: Unit): AccountErasures => ({
  lockSolelyOwned: (user) => {
    if (!unit.tables.users.has(user)) return errAsync(accountNotFound());
    const owned = organizationsOf(unit.tables, user).filter(
      ([, { members }]) =>
        members.get(user)?.role === 'owner' &&
        [...members].every(([other, { role }]) => other === user || role !== 'owner'),
    );
    const facts = owned.map(([id, { name, members }]) => ({
      id,
      name,
      others: members.size - 1,
      zones: zoneCount(unit.tables, id),
    }));
    return okAsync(facts.toSorted((one, other) => one.id - other.id));
  },
  erase: (user) => {
    const { tables } = unit;
    const row = tables.users.get(user);
    if (row === undefined) return okAsync();
    revokeInvitationsBy(unit, user);
    removeFrom(tables.invitations, ({ email }) => emailKey(email) === emailKey(row.email));
    removeSessions(tables, user);
    removeAccount(tables, user);
    forgetAuthor(tables, user);
    return okAsync();
  },
});

function removeSessions({ sessions, refreshTokens, signInNetworks }: Tables, user: UserId): void {
  removeFrom(refreshTokens, ({ sessionId }) => sessions.get(sessionId)?.userId === user);
  removeFrom(sessions, ({ userId }) => userId === user);
  signInNetworks.delete(user);
}

/** What the user has made stays without an author. */
function forgetAuthor(tables: Tables, user: UserId): void {
  const other = (author: UserId | undefined) => (author === user ? undefined : author);
  const { zones, revisions, backendRevisions, changeSets, promotions, deletedZones } = tables;
  for (const [id, row] of zones) zones.set(id, { ...row, createdBy: other(row.createdBy) });
  for (const [id, all] of revisions)
    revisions.set(
      id,
      all.map((row) => ({ ...row, author: other(row.author) })),
    );
  for (const [id, all] of backendRevisions)
    backendRevisions.set(
      id,
      all.map((row) => ({ ...row, author: other(row.author) })),
    );
  for (const [id, row] of changeSets) changeSets.set(id, { ...row, createdBy: other(row.createdBy) });
  for (const [id, row] of promotions) promotions.set(id, { ...row, createdBy: other(row.createdBy) });
  for (const [id, row] of deletedZones) deletedZones.set(id, { ...row, deletedBy: other(row.deletedBy) });
}
