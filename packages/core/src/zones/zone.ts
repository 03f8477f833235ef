import { z } from 'zod';
import { ZoneSettings } from '../settings/settings.ts';
import { checksummedToken } from '../shared/checksummed-token.ts';
import { OrganizationId, type UserId, type ZoneId } from '../shared/ids.ts';
import type { JsonDocument } from '../shared/json-document.ts';
import { coded } from '../shared/parse.ts';
import type { Randomness } from '../shared/randomness.ts';
import { text } from '../shared/text.ts';
import type { Version } from '../shared/version.ts';
import { violation } from '../shared/violation.ts';

/** 1 to 255 code points of any script, trimmed; usually a host name, which is not required (interface, "Zone"). */
export const ZoneName = text({ min: 1, max: 255 }).brand<'ZoneName'>();
export type ZoneName = z.infer<typeof ZoneName>;

/** Environment tags, as accepted ignoring case and kept in lower case (interface, "Zone"). */
export const environmentTags = ['prod', 'stage', 'dev'] as const;

/** In lower case, however it was written. */
export const EnvironmentTag = z
  .string()
  .overwrite((tag) => tag.toLowerCase())
  .refine(
    // `includes` of a list of literals takes those literals only.
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
  readonly banToken: string;
  /** Absent once the account that created the zone is gone. */
  readonly createdBy: UserId | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Grows with every change of the zone or of anything inside it. */
  readonly revision: number;
  readonly settings: JsonDocument<ZoneSettings>;
}

/** For entity tags: changes of anything inside the zone raise the revision, so this is the version of all of it. */
export const zoneVersion = ({ revision }: Pick<Zone, 'revision'>): Version => String(revision);

/** A zone to be created: settings that the body leaves out get their defaults. */
export const ZoneDraft = z.strictObject({
  name: ZoneName,
  tag: EnvironmentTag.default('prod'),
  organization: OrganizationId.optional(),
  zone_settings: ZoneSettings.prefault({}),
});
export type ZoneDraft = z.output<typeof ZoneDraft>;

/** What can be changed of a zone. */
export const ZoneMembers = ZoneDraft.omit({ organization: true });

/** Why a zone is refused a name and tag that another one of its organization has. */
export const zoneNameDuplicate = violation(
  'name',
  'zone.name.duplicate',
  'A zone with this name and tag exists in the organization.',
);

/** A fresh ban token: `ban_`, 30 random characters, 6 of checksum. */
export const newBanToken = (randomness: Randomness): string => checksummedToken('ban_', randomness.base62(30));

/** A ban token as shown to those who may not use it. */
export const maskedBanToken = 'ban_************************************';
