import {
  changeSetLifetimeSeconds,
  deletedZoneGraceSeconds,
  type Expiry,
  expiredCredentialLifetimeSeconds,
  finishedMailLifetimeSeconds,
  idempotencyKeyLifetimeSeconds,
  pendingDomainLifetimeSeconds,
  type UserId,
  unverifiedAccountLifetimeSeconds,
} from '@zonewright/core';
import { okAsync } from 'neverthrow';
import { removeAccount, removeFrom } from './accounts/removal.ts';
import { organizationsOf } from './organizations/memberships.ts';
import { zoneCount } from './organizations/organizations.ts';
import { secondsAfter } from './seconds-after.ts';
import { forgetDeletedZone } from './tables/cascades.ts';
import type { Tables, Unit } from './tables/tables.ts';
import type { MemoryUnitOfWork } from './unit-of-work.ts';

/** Deletes everything that has expired, in one unit. */
export const memoryExpiry = (unitOfWork: MemoryUnitOfWork): Expiry => ({
  removeExpired: () =>
    unitOfWork
      .atomically((unit) => okAsync<number>(removeExpired(unit)))
      .match(
        (count) => count,
        (impossible) => impossible,
      ),
});

function removeExpired(unit: Unit): number {
  const { tables, now } = unit;
  const isOver = (since: Date | undefined, seconds: number): boolean =>
    since !== undefined && secondsAfter(since, seconds) < now();
  const isExpired = ({ expiresAt }: { readonly expiresAt: Date }) =>
    isOver(expiresAt, expiredCredentialLifetimeSeconds);
  const removed = [
    removeFrom(tables.mailedTokens, isExpired),
    removeFrom(tables.addressChanges, isExpired),
    removeFrom(tables.challenges, isExpired),
    removeFrom(tables.spentStates, ({ expiresAt }) => expiresAt < now()),
    removeFrom(tables.passkeyChallenges, isExpired),
    removeFrom(tables.sessions, isExpired),
    removeFrom(tables.outbox, ({ doneAt }) => isOver(doneAt, finishedMailLifetimeSeconds)),
    removeFrom(tables.idempotencyKeys, ({ createdAt }) => isOver(createdAt, idempotencyKeyLifetimeSeconds)),
    removeFrom(
      tables.changeSets,
      ({ application, endsAt }) => application === undefined && isOver(endsAt, changeSetLifetimeSeconds),
    ),
    removeFrom(
      tables.domains,
      ({ domain: { state, createdAt } }) => state === 'pending' && isOver(createdAt, pendingDomainLifetimeSeconds),
    ),
    ...[...tables.deletedZones].map(([id, { expiresAt }]) => {
      if (!isOver(expiresAt, deletedZoneGraceSeconds)) return 0;
      forgetDeletedZone(tables, id);
      return 1;
    }),
    ...[...tables.users].map(([id, { createdAt, emailVerified }]) => {
      if (emailVerified || !isOver(createdAt, unverifiedAccountLifetimeSeconds) || isInUse(tables, id)) return 0;
      removeAccount(tables, id);
      return 1;
    }),
  ];
  // Used ones were kept with their session.
  void removeFrom(tables.refreshTokens, ({ sessionId }) => !tables.sessions.has(sessionId));
  return removed.reduce((sum, count) => sum + count, 0);
}

/** Accounts that signed in were verified once, and only embedding services can have given zones to the others. */
const isInUse = (tables: Tables, user: UserId): boolean =>
  tables.signInNetworks.has(user) ||
  [...tables.sessions.values()].some(({ userId }) => userId === user) ||
  organizationsOf(tables, user).some(([organization]) => zoneCount(tables, organization) > 0);
