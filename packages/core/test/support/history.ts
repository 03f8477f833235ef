import {
  type Caller,
  type JsonObject,
  jsonOf,
  type Revision,
  RevisionNumber,
  type Rule,
  type ZoneId,
} from '@zonewright/core';
import { listBasicAuthUsers } from '../../src/zones/basic-auth-users/read-basic-auth-users.ts';
import { listRevisions, readRevision } from '../../src/zones/revisions/read-revisions.ts';
import { restoreRevision } from '../../src/zones/revisions/restore-revision.ts';
import { readZone } from '../../src/zones/zones/read-zone.ts';
import { valueOf } from './outcomes.ts';
import { aWorld, type World } from './world.ts';
import { anOrganizationWithZone, revisionOf } from './zones.ts';

const listMember = (rules: readonly Rule[]): JsonObject => ({
  order: rules.map(({ id }) => id),
  items: Object.fromEntries(rules.map(({ id, content }) => [id, jsonOf(content)])),
});

/** The current document of a zone, assembled from reads of its parts. */
async function documentOf(world: World, caller: Caller, id: ZoneId): Promise<JsonObject> {
  const { zone, rules } = await valueOf(readZone(world)(caller, id));
  const page = { username: undefined, page: 1, itemsPerPage: 100 };
  const { items: users } = await valueOf(listBasicAuthUsers(world)(caller, id, page));
  return {
    name: zone.name,
    tag: zone.tag,
    hostnames: zone.hostnames,
    zone_settings: jsonOf(zone.settings),
    rewriteRules: listMember(rules.rewriteRule),
    configurationRules: listMember(rules.configurationRule),
    accessRules: listMember(rules.accessRule),
    securityScenarios: listMember(rules.securityScenario),
    basicAuthUsers: Object.fromEntries(users.map(({ id: user, username, comment }) => [user, { username, comment }])),
  };
}

/** Every revision of a zone with its patches, newest first. */
export async function revisionsOf(world: World, caller: Caller, zone: ZoneId): Promise<readonly Revision[]> {
  const pages: Revision[] = [];
  for (let page = 1; ; page += 1) {
    const { items } = await valueOf(listRevisions(world)(caller, zone, { page, itemsPerPage: 100 }));
    if (items.length === 0) return pages;
    for (const { number } of items)
      pages.push((await valueOf(readRevision(world)(caller, zone, RevisionNumber.parse(number)))).revision);
  }
}

/** A zone with its revision and document at any time, and `restore`, which accepts any version of the zone. */
export const aWorldWithHistory = async (changes: object = {}) => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world, changes);
  const { owner, zone } = arranged;
  const number = () => RevisionNumber.parse(revisionOf(world, zone.id));
  const document = () => documentOf(world, owner, zone.id);
  const restore = (to: RevisionNumber, caller = owner) => restoreRevision(world)(caller, zone.id, to, undefined);
  return { world, ...arranged, number, document, restore };
};
