import { z } from 'zod';
import { ZoneId } from '../../kernel/shared/ids.ts';
import { RevisionNumber } from '../../zones/history/revision.ts';
import { allSettings, type SettingKey } from '../../zones/settings/settings.ts';
import { ChangeSetTitle } from '../change-sets/change-set.ts';

/** Names in the source, mapped to names in the target. */
const Names = z.record(z.string(), z.string());

/** Settings whose values usually differ between environments. */
export const ownSettings = [
  'defaultBackend',
  'backendPortOverride',
  'basicAuth',
] as const satisfies readonly SettingKey[];

// `Object.keys` loses the key type.
const settingKeys = Object.keys(allSettings) as SettingKey[];

/** The body of a promotion: what to promote into a zone, and how names map. */
export const PromotionDraft = z.strictObject({
  from: ZoneId.meta({ description: 'The zone whose changes are promoted.' }),
  fromRevision: RevisionNumber.optional().meta({ description: 'Revision of that zone; the current one if omitted.' }),
  title: ChangeSetTitle.optional().meta({
    description: 'Title of the change set; `Promotion from <name> (<tag>)` if omitted.',
  }),
  map: z
    .strictObject({
      backends: Names.default({}).meta({
        description:
          'Names of backends used by rules of the source, each with the name of the backend to use in the target.',
      }),
      basicAuthUsers: Names.default({}).meta({
        description:
          'Usernames in the source, each with the username in the target. Users that are not listed are matched by username.',
      }),
    })
    .prefault({})
    .meta({ description: 'What to use in the target in place of what the source refers to.' }),
  keep: z.array(z.enum(settingKeys)).default([]).meta({
    description:
      'Further settings that keep the values of the target. `defaultBackend`, `backendPortOverride` and `basicAuth` always do.',
  }),
});
export type PromotionDraft = z.output<typeof PromotionDraft>;
