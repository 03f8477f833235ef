import {
  BasicAuthComment,
  type BasicAuthPasswordHash,
  type BasicAuthUserId,
  BasicAuthUsername,
  type Caller,
  type JsonObject,
  type OrganizationId,
  type Zone,
  ZoneDraft,
  type ZoneId,
} from '@zonewright/core';
import { createZone } from '../../src/zones/zone-changes/create-zone.ts';
import { updateZone } from '../../src/zones/zone-changes/update-zone.ts';
import { aMember, anOrganization } from './organizations.ts';
import { valueOf } from './outcomes.ts';
import { aWorld, inTables, type World } from './world.ts';

/** A valid zone; members can be overridden. */
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

/** Adds basic-auth users with these ids to a zone, bypassing use cases and history. */
export const setBasicAuthUsers = (world: World, zone: ZoneId, ids: readonly BasicAuthUserId[]): void =>
  inTables(world, ({ basicAuthUsers }) => {
    const stamp = { createdAt: world.clock.now(), updatedAt: world.clock.now(), revision: 1 };
    const comment = BasicAuthComment.parse('');
    for (const id of ids) {
      const username = BasicAuthUsername.parse(`user ${id}`);
      basicAuthUsers.set(id, { id, zoneId: zone, username, comment, hash: 'hash' as BasicAuthPasswordHash, ...stamp });
    }
  });

/** The revision of the zone. */
export const revisionOf = (world: World, zone: ZoneId): number | undefined =>
  inTables(world, ({ zones }) => zones.get(zone)?.revision);

/** A zone and two ways to change it: `patch` accepts any version. */
export const aWorldWithZone = async (changes: object = {}) => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world, changes);
  const update = updateZone(world);
  const patch = (body: JsonObject, caller = arranged.owner) => update(caller, arranged.zone.id, body, undefined);
  return { world, ...arranged, update, patch };
};
