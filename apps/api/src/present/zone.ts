import {
  maskedBanToken,
  type Page,
  type PageRequest,
  ruleKindNames,
  ruleKinds,
  type Zone,
  type ZoneDetails,
  zoneVersion,
} from '@zonewright/core';
import { iri } from '../http/iri.ts';
import { Collection, Item, JsonText, type Members } from '../http/resource.ts';
import { presentRule } from './rule.ts';

/** A zone with its full settings (interface, "Zone"). */
export const presentZone = (zone: Zone): Item => zoneItem(zone, {});

/** A zone with settings, usage counters and nested items: the single read. */
export const presentZoneDetails = ({ zone, rules, usage }: ZoneDetails): Item =>
  zoneItem(zone, {
    usage,
    ...Object.fromEntries(ruleKindNames.map((kind) => [ruleKinds[kind].member, rules[kind].map(presentRule)])),
  });

export const presentZones = ({ items, totalItems }: Page<Zone>, page: PageRequest): Collection =>
  new Collection({ type: 'Zone', items: items.map(presentZone), totalItems, page, search: zoneSearch });

const zoneItem = (zone: Zone, contents: Members): Item =>
  new Item({
    type: 'Zone',
    iri: iri.zone(zone.id),
    version: versionAsSeen(zone),
    members: {
      id: zone.id,
      name: zone.name,
      tag: zone.tag,
      organization: iri.organization(zone.organizationId),
      banToken: zone.banToken,
      createdBy: zone.createdBy && iri.user(zone.createdBy),
      createdAt: zone.createdAt,
      updatedAt: zone.updatedAt,
      zone_settings: new JsonText(zone.settings),
      ...contents,
    },
  });

/** A masked ban token makes another representation, so it has another entity tag. */
const versionAsSeen = (zone: Zone) =>
  zone.banToken === maskedBanToken ? `${zoneVersion(zone)}.masked` : zoneVersion(zone);

const zoneSearch = [
  { variable: 'organization', property: 'organization' },
  { variable: 'q', property: 'name' },
  { variable: 'tag', property: 'tag' },
  { variable: 'tag[]', property: 'tag' },
  { variable: 'order[name]', property: 'name' },
  { variable: 'order[tag]', property: 'tag' },
  { variable: 'order[createdAt]', property: 'createdAt' },
  { variable: 'order[updatedAt]', property: 'updatedAt' },
] as const;
