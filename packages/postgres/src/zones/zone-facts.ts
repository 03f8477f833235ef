import {
  type NotAMember,
  notAMember,
  type UserId,
  type ZoneFacts,
  type ZoneId,
  type ZoneNotFound,
  zoneNotFound,
} from '@zonewright/core';
import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import type { StoredLimits } from '../organizations/limits.ts';
import { membershipIn } from '../organizations/memberships.ts';
import { type ReadState, readStateOfUser, type StateSources } from './zone-states.ts';

/** What a change by the user is decided on, read in one statement. */
export const readFacts = (
  { limits, ...sources }: StateSources & { readonly limits: StoredLimits },
  zone: ZoneId,
  userId: UserId,
): ResultAsync<ZoneFacts, ZoneNotFound | NotAMember> =>
  readStateOfUser(sources, zone, userId).andThen((read): Result<ZoneFacts, ZoneNotFound | NotAMember> => {
    if (read === undefined || read.own.version === null) return err(zoneNotFound());
    const facts = factsIn(read, userId, limits);
    return facts === undefined ? err(notAMember(read.own.organizationId)) : ok(facts);
  });

/** The facts in a row of the zone; undefined if there is no such zone, or if the user is not a member. */
export const factsIn = ({ state, own }: ReadState, user: UserId, limits: StoredLimits): ZoneFacts | undefined =>
  state && {
    state,
    user,
    membership: membershipIn(own),
    organizationRevision: own.organizationRevision,
    replayBytes: own.replayBytes,
    limits: limits.with(own.ownLimits),
  };
