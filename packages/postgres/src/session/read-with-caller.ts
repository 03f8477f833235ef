import {
  type AuthenticatedCaller,
  type CallerError,
  type ListZonesQuery,
  type OrganizationId,
  openOrganizations,
  type PlausibleCredential,
  type Subject,
  type ZoneId,
  zonesOf,
} from '@zonewright/core';
import type { ResultAsync } from 'neverthrow';
import { authenticated, authenticatedIn, type CallerRow, callerBy } from '../accounts/callers.ts';
import { type ProfileRow, profileIn } from '../accounts/profiles.ts';
import type { Connection } from '../connection/database.ts';
import type { SecretBoxes } from '../kernel/secret-boxes.ts';
import type { StoredLimits } from '../organizations/limits.ts';
import type { ReadAhead } from '../read-ahead.ts';
import { sql } from '../sql.ts';
import type { ZoneCache } from '../zones/zone-cache.ts';
import { factsIn } from '../zones/zone-facts.ts';
import { headIn, type VersionedHeadRow } from '../zones/zone-heads.ts';
import { pageOfCaller } from '../zones/zone-list.ts';
import { readStateOfCaller, type StateSources } from '../zones/zone-states.ts';

/** Where a session reads. */
export interface SessionSources {
  readonly connection: Connection;
  readonly cache: ZoneCache;
  readonly boxes: Pick<SecretBoxes, 'banTokens'>;
  readonly limits: StoredLimits;
  readonly reserveFor?: StateSources['reserveFor'];
}

/** A caller, and what was read in the same statement. */
interface CallerAndSubject {
  readonly caller: AuthenticatedCaller;
  readonly ahead: ReadAhead | undefined;
}

/** Authenticates a caller, and reads in the same statement what the request is about. */
export function readWithCaller(
  sources: SessionSources,
  credential: PlausibleCredential,
  subject: Subject | undefined,
): ResultAsync<CallerAndSubject, CallerError> {
  switch (subject?.kind) {
    case undefined:
      return callerBy(sources.connection, credential).map((caller) => ({ caller, ahead: undefined }));
    case 'profile':
      return withProfile(sources, credential);
    case 'zone':
      return withHead(sources, credential, subject.id);
    case 'zone change':
      return withFacts(sources, credential, subject.id);
    case 'zone list':
      return withPage(sources, credential, subject.query);
  }
}

const withProfile = ({ connection }: SessionSources, credential: PlausibleCredential) =>
  authenticated<ProfileRow>(connection, sql.accounts.profile, credential).map(
    ({ caller, row }): CallerAndSubject => ({ caller, ahead: { kind: 'profile', profile: profileIn(row) } }),
  );

const withHead = ({ connection, limits }: SessionSources, credential: PlausibleCredential, id: ZoneId) =>
  authenticated<VersionedHeadRow & CallerRow>(connection, sql.zones.state, credential, { id }).map(
    ({ caller, row }): CallerAndSubject => ({ caller, ahead: { kind: 'zone', id, head: headIn(row, limits) } }),
  );

function withFacts(sources: SessionSources, credential: PlausibleCredential, id: ZoneId) {
  const { connection: on, boxes, limits } = sources;
  const reading = readStateOfCaller({ ...sources, on, banTokens: boxes.banTokens }, id, credential);
  const row = reading.map((read) => read && { ...read.own, read });
  return authenticatedIn(on, credential, row).map(({ caller, row: { read } }): CallerAndSubject => {
    const facts = factsIn(read, caller.userId, limits);
    return { caller, ahead: { kind: 'zone change', id, facts } };
  });
}

const withPage = ({ connection }: SessionSources, credential: PlausibleCredential, query: ListZonesQuery) =>
  pageOfCaller(connection, credential, query).map(({ caller, row: { page } }): CallerAndSubject => {
    const organizations = listedOrganizations(caller, query);
    return { caller, ahead: { kind: 'zone list', query, organizations, zones: zonesOf(caller), page } };
  });

/** The organizations whose zones the statement lists. */
const listedOrganizations = (
  caller: AuthenticatedCaller,
  { organization }: ListZonesQuery,
): readonly OrganizationId[] =>
  openOrganizations(caller).filter((id) => organization === undefined || id === organization);
