import { createHash } from 'node:crypto';
import { link, type ResourceDescription, readOnly, readOnlyLink, timestamp, uuid } from '@zonewright/api-description';
import {
  defaultUsageLimits,
  environmentTags,
  HostNames,
  maskedBanToken,
  memoized,
  type Page,
  type PageRequest,
  ruleKindNames,
  ruleListNames,
  type Zone,
  type ZoneDetails,
  ZoneName,
  ZoneSettings,
  zoneVersion,
} from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { Collection, Item, JsonText, type Members } from '../../resources/resource.ts';
import { presentRule, ruleResources } from './rule.ts';

const Usage = z
  .object({ used: z.int().min(0), limit: z.int().min(0) })
  .meta({ readOnly: true, description: 'The current number and the maximum.' });

const zoneMembers = {
  id: uuid('Id of the zone.'),
  name: ZoneName.meta({
    description: 'Name; the combination of name and tag is unique within the organization.',
    examples: ['shop'],
  }),
  tag: z.enum(environmentTags).meta({ description: 'Environment.', examples: ['prod'] }),
  hostnames: HostNames.meta({
    description:
      'The host names that the zone serves. A name may begin with `*.`, which stands for exactly one label; an exact name wins. Each belongs to one zone. A domain of the organization has to cover it: one that is the name or above it.',
    examples: [['www.example.com', '*.shop.example.com']],
  }),
  organization: link('Organization', 'The organization the zone belongs to.'),
  banToken: readOnly(
    z
      .string()
      .length(40)
      .meta({ examples: [maskedBanToken] }),
    'Secret for purging the cache of the zone; masked for users who are not allowed to do so.',
  ),
  createdBy: readOnlyLink('User', 'The user who created the zone; absent once the account is deleted.').optional(),
  createdAt: timestamp('When the zone was created.'),
  updatedAt: timestamp('When the name, tag, host names, settings or ban token last changed.'),
  zone_settings: ZoneSettings.meta({ description: 'All settings of the zone.' }),
} as const;

/** A zone in lists and responses to writes. */
export const zoneResource: ResourceDescription = {
  type: 'Zone',
  title: 'zone',
  description: 'A site behind the proxy, with its settings and the rules applied to requests.',
  schema: z.object(zoneMembers),
};

/** A single zone with its nested items. */
export const zoneDetailsResource: ResourceDescription = {
  ...zoneResource,
  name: 'ZoneDetails',
  schema: z.object({
    ...zoneMembers,
    usage: z
      .object({
        rules: Usage,
        waf: Usage,
        scenarios: Usage,
        configurationRules: Usage,
        rewriteRules: Usage,
        accessRules: Usage,
        securityScenarios: Usage,
        basicAuthUsers: Usage,
      })
      .meta({
        readOnly: true,
        description:
          'Usage and limits: `rules` counts configuration and rewrite rules, `waf` access rules, `scenarios` security scenarios; each of the others counts one kind.',
      }),
    ...Object.fromEntries(
      ruleKindNames.map((kind) => [
        ruleListNames[kind],
        readOnly(z.array(ruleResources[kind].schema), `The ${ruleResources[kind].title}s of the zone, in order.`),
      ]),
    ),
  }),
};

/** A zone with its full settings (interface, "Zone"). */
export const presentZone = memoized((zone: Zone): Item => zoneItem(zone, {}));

/** A zone with settings, usage counters and nested items, for the single read. */
export const presentZoneDetails = memoized(
  ({ zone, rules, usage }: ZoneDetails): Item =>
    zoneItem(
      zone,
      {
        usage,
        ...Object.fromEntries(ruleKindNames.map((kind) => [ruleListNames[kind], rules[kind].map(presentRule)])),
      },
      variantOf(usage),
    ),
);

/** The response shows the organization's limits, which are not covered by the zone's version. */
function variantOf(usage: ZoneDetails['usage']): string | undefined {
  const shown = ['configurationRules', 'rewriteRules', 'accessRules', 'securityScenarios', 'basicAuthUsers'] as const;
  if (shown.every((name) => usage[name].limit === defaultUsageLimits[name])) return undefined;
  const limits = shown.map((name) => usage[name].limit).join(' ');
  return `u${createHash('sha256').update(limits).digest('hex').slice(0, 8)}`;
}

export const presentZones = ({ items, totalItems }: Page<Zone>, page: PageRequest): Collection =>
  new Collection({ type: 'Zone', items: items.map(presentZone), totalItems, page, search: zoneSearch });

const zoneItem = (zone: Zone, contents: Members, variant?: string): Item =>
  new Item({
    type: 'Zone',
    iri: iri.zone(zone.id),
    version: versionAsSeen(zone),
    variant,
    isCacheable: true,
    members: {
      id: zone.id,
      name: zone.name,
      tag: zone.tag,
      hostnames: zone.hostnames,
      organization: iri.organization(zone.organizationId),
      banToken: zone.banToken,
      createdBy: zone.createdBy && iri.user(zone.createdBy),
      createdAt: zone.createdAt,
      updatedAt: zone.updatedAt,
      zone_settings: new JsonText(zone.settings),
      ...contents,
    },
  });

/** Masking the ban token changes the representation, so it needs another entity tag. */
const versionAsSeen = (zone: Zone) =>
  zone.banToken === maskedBanToken ? `${zoneVersion(zone)}.masked` : zoneVersion(zone);

const zoneSearch = [
  { variable: 'organization', property: 'organization' },
  { variable: 'q', property: 'name' },
  { variable: 'hostname', property: 'hostnames' },
  { variable: 'tag', property: 'tag' },
  { variable: 'tag[]', property: 'tag' },
  { variable: 'order[name]', property: 'name' },
  { variable: 'order[tag]', property: 'tag' },
  { variable: 'order[createdAt]', property: 'createdAt' },
  { variable: 'order[updatedAt]', property: 'updatedAt' },
] as const;
