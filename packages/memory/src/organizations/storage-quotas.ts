import {
  bytesOfChangeSet,
  bytesOfPromotion,
  bytesOfRevision,
  type OrganizationId,
  type StorageQuotas,
  utf8Bytes,
  type ZoneId,
} from '@zonewright/core';
import { okAsync } from 'neverthrow';
import type { Tables, Unit } from '../tables/tables.ts';
import { limitsIn } from './limit-overrides.ts';

/** Units run one after another, so there is nothing to lock. */
export const memoryStorageQuotas = (unit: Unit): StorageQuotas => {
  const of = (organization: OrganizationId) =>
    okAsync({ used: storedBytes(unit.tables, organization), limit: limitsIn(unit, organization).storageBytes });
  return { of, lock: of };
};

/** The bytes of an organization. */
export function storedBytes(tables: Tables, organization: OrganizationId): number {
  const deleted = [...tables.deletedZones.values()].map(({ zone }) => zone);
  const zones = [...tables.zones.values(), ...deleted].filter((zone) => zone.organizationId === organization);
  const ids = new Set<ZoneId>(zones.map(({ id }) => id));
  const inThem = ({ zoneId }: { readonly zoneId: ZoneId }) => ids.has(zoneId);
  return [
    ...zones.map(bytesBy(({ settings }) => utf8Bytes(settings))),
    ...[...tables.rules.values()].filter(inThem).map(bytesBy(({ content }) => utf8Bytes(content))),
    ...[...ids].flatMap((id) => tables.revisions.get(id) ?? []).map(bytesBy(bytesOfRevision)),
    ...[...tables.changeSets.values()].filter(inThem).map(bytesBy(bytesOfChangeSet)),
    ...[...tables.promotions.values()].filter(inThem).map(bytesBy(bytesOfPromotion)),
  ].reduce((sum, bytes) => sum + bytes, 0);
}

const counted = new WeakMap<object, number>();

/** Counts each row once: rows are immutable. */
const bytesBy =
  <Row extends object>(bytesOf: (row: Row) => number) =>
  (row: Row): number => {
    const bytes = counted.get(row) ?? bytesOf(row);
    counted.set(row, bytes);
    return bytes;
  };
