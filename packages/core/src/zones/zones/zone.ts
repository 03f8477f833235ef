import { z } from 'zod';
import { OrganizationId, type UserId, type ZoneId } from '../../kernel/shared/ids.ts';
import type { JsonDocument } from '../../kernel/shared/json.ts';
import { coded } from '../../kernel/shared/parse.ts';
import { text } from '../../kernel/shared/text.ts';
import type { Version } from '../../kernel/shared/version.ts';
import { violation } from '../../kernel/shared/violation.ts';
import { type HostName, HostNames } from '../../organizations/domains/dns-names.ts';
import { ZoneSettings } from '../settings/settings.ts';

/** 1 to 255 code points of any script, trimmed; usually but not necessarily a host name (interface, "Zone"). */
export const ZoneName = text({ min: 1, max: 255 }).brand<'ZoneName'>();
export type ZoneName = z.infer<typeof ZoneName>;

/** Environment tags (interface, "Zone"); accepted ignoring case, stored in lower case. */
export const environmentTags = ['prod', 'stage', 'dev'] as const;

/** Normalized to lower case. */
export const EnvironmentTag = z
  .string()
  .overwrite((tag) => tag.toLowerCase())
  .refine(
    // `includes` on a list of literals accepts only these literals.
    (tag) => (environmentTags as readonly string[]).includes(tag),
    coded('value.choice', 'This value should be one of: prod, stage, dev.'),
  )
  .meta({ enum: [...environmentTags] })
  .pipe(z.enum(environmentTags));
export type EnvironmentTag = (typeof environmentTags)[number];

/** A site behind the proxy: its settings, and the token with which its cache can be purged. */
export interface Zone {
  readonly id: ZoneId;
  readonly organizationId: OrganizationId;
  readonly name: ZoneName;
  readonly tag: EnvironmentTag;
  /** The host names that the zone serves, in the order in which they were written. */
  readonly hostnames: readonly HostName[];
  readonly banToken: string;
  /** Absent if the account has been deleted. */
  readonly createdBy: UserId | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Increases with every change of the zone or of anything in it. */
  readonly revision: number;
  readonly settings: JsonDocument<ZoneSettings>;
}

/** For entity tags: covers the zone and everything in it. */
export const zoneVersion = ({ revision }: Pick<Zone, 'revision'>): Version => String(revision);

/** A zone to create; omitted settings get their defaults. */
export const ZoneDraft = z.strictObject({
  name: ZoneName,
  tag: EnvironmentTag.default('prod'),
  organization: OrganizationId.optional(),
  hostnames: HostNames.default([]),
  zone_settings: ZoneSettings.prefault({}),
});
export type ZoneDraft = z.output<typeof ZoneDraft>;

/** What can be changed about a zone. */
export const ZoneMembers = ZoneDraft.omit({ organization: true });

/** The violation if another zone of the organization has the same name and tag. */
export const zoneNameDuplicate = violation(
  'name',
  'zone.name.duplicate',
  'A zone with this name and tag exists in the organization.',
);
