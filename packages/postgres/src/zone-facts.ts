import { type UserId, type ZoneFacts, type ZoneId, type ZoneNotFound, zoneNotFound } from '@zonewright/core';
import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import type { StoredLimits } from './limits.ts';
import { type ReadState, readStateFor, type StateSources } from './zone-states.ts';

/** What a change by the user is decided on, read in one statement. */
export const readFacts = (
  { limits, ...sources }: StateSources & { readonly limits: StoredLimits },
  zone: ZoneId,
  userId: UserId,
): ResultAsync<ZoneFacts, ZoneNotFound> =>
  readStateFor(sources, zone, { kind: 'known', userId }).andThen((read): Result<ZoneFacts, ZoneNotFound> => {
    const facts = read && factsIn(read, userId, limits);
    return facts === undefined ? err(zoneNotFound()) : ok(facts);
  });

/** The facts in a row of the zone; undefined if there is no such zone. */
export const factsIn = ({ state, own }: ReadState, user: UserId, limits: StoredLimits): ZoneFacts | undefined =>
  state && {
    state,
    user,
    membership: own.role === null ? undefined : { role: own.role, needsTwoFactor: own.needsTwoFactor ?? false },
    organizationRevision: own.organizationRevision,
    replayBytes: own.replayBytes,
    limits: limits.with(own.ownLimits),
  };
