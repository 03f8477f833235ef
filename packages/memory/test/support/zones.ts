import {
  type BasicAuthUserId,
  type Caller,
  createZone,
  type OrganizationId,
  type Zone,
  ZoneDraft,
  type ZoneId,
} from '@zonewright/core';
import { aMember, anOrganization } from './organizations.ts';
import { valueOf } from './outcomes.ts';
import { inTables, type World } from './world.ts';

/** A zone that keeps all rules; members can be replaced. */
export const aZoneDraft = (changes: object = {}): ZoneDraft => ZoneDraft.parse({ name: 'Shop', ...changes });

export const aZone = (world: World, caller: Caller, changes: object = {}): Promise<Zone> =>
  valueOf(createZone(world)(caller, aZoneDraft(changes)));

/** An organization with one zone, and its owner. */
export async function anOrganizationWithZone(
  world: World,
  changes: object = {},
): Promise<{ readonly organization: OrganizationId; readonly owner: Caller; readonly zone: Zone }> {
  const organization = anOrganization(world);
  const owner = aMember(world, organization, 'owner');
  return { organization, owner, zone: await aZone(world, owner, changes) };
}

export const setBasicAuthUsers = (world: World, zone: ZoneId, basicAuthUsers: readonly BasicAuthUserId[]): void =>
  inTables(world, ({ zones }) => {
    zones.set(zone, { ...zones.get(zone)!, basicAuthUsers });
  });

/** How often the zone, or anything inside it, was changed. */
export const revisionOf = (world: World, zone: ZoneId): number | undefined =>
  inTables(world, ({ zones }) => zones.get(zone)?.revision);
