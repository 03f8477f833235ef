import { type OrganizationId, type ZoneHead, type ZoneId, type ZoneNotFound, zoneNotFound } from '@zonewright/core';
import type { ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { required } from '../connection/query.ts';
import type { StoredLimits } from '../organizations/limits.ts';
import type { OrganizationRow } from '../organizations/organizations.ts';
import type { VersionedHead } from '../read-ahead.ts';
import { sql } from '../sql.ts';

type HeadRow = Omit<ZoneHead, 'limits'> & Pick<OrganizationRow, 'ownLimits'>;

/** The head of a zone that may not exist, along with a caller. */
export type VersionedHeadRow =
  | (HeadRow & { readonly organizationId: OrganizationId; readonly version: string })
  | { readonly organizationId: null };

/** Reads the head of a zone by id. */
export const readHead = (on: Connection, limits: StoredLimits, id: ZoneId): ResultAsync<ZoneHead, ZoneNotFound> =>
  required<HeadRow>(on, sql.zones.head, { id })
    .mapErr(zoneNotFound)
    .map((row) => headOf(row, limits));

/** The head in a row along with a caller; undefined if there is no such zone. */
export const headIn = (row: VersionedHeadRow, limits: StoredLimits): VersionedHead | undefined =>
  row.organizationId === null ? undefined : { ...headOf(row, limits), version: row.version };

const headOf = ({ organizationId, revision, ownLimits }: HeadRow, limits: StoredLimits): ZoneHead => ({
  organizationId,
  revision,
  limits: limits.with(ownLimits),
});
