import { type OrganizationId, ruleKindNames, type ZoneId } from '@zonewright/core';
import type { Tables } from './tables.ts';
import { listKey } from './zone-rows.ts';

/** Removes the deleted zones of an organization with everything in them. */
export function removeDeletedZones(tables: Tables, organization: OrganizationId): void {
  for (const [id, { zone }] of tables.deletedZones)
    if (zone.organizationId === organization) forgetDeletedZone(tables, id);
}

/** Removes a deleted zone with everything in it. */
export function forgetDeletedZone(tables: Tables, id: ZoneId): void {
  const { deletedZones, revisions, rules, ruleLists, basicAuthUsers, changeSets, promotions } = tables;
  deletedZones.delete(id);
  for (const kind of ruleKindNames) ruleLists.delete(listKey({ zone: id, kind }));
  removeIn(id, rules);
  removeIn(id, basicAuthUsers);
  removeIn(id, changeSets);
  removeIn(id, promotions);
  revisions.delete(id);
}

/** Removes the rows that belong to the zone. */
function removeIn<K>(zone: ZoneId, rows: Map<K, { readonly zoneId: ZoneId }>): void {
  for (const [id, { zoneId }] of rows) if (zoneId === zone) rows.delete(id);
}
