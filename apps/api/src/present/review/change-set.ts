import { type ResourceDescription, readOnly, readOnlyLink, timestamp, uuid } from '@zonewright/api-description';
import {
  ChangeSetDescription,
  ChangeSetTitle,
  type ChangeSetWithConflicts,
  changeSetStatuses,
  changeSetVersion,
  type ListedChangeSet,
  usageLimits,
} from '@zonewright/core';
import { sha256 } from '@zonewright/crypto';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { type Item, JsonText } from '../../resources/resource.ts';
import { itemOf, presentPage } from '../item.ts';

const AnyObject = z.record(z.string(), z.unknown());

const Conflict = z.object({
  path: z.string().meta({ description: 'Path in the zone document.' }),
  base: z
    .unknown()
    .optional()
    .meta({ description: 'The value that both sides started from; absent if there was none.' }),
  theirs: z.unknown().optional().meta({ description: 'The value in the zone; absent if there is none.' }),
  yours: z.unknown().optional().meta({ description: 'The value in the change set; absent if there is none.' }),
});

const texts = {
  title: ChangeSetTitle.meta({ description: 'A short title.', examples: ['Minify pages'] }),
  description: ChangeSetDescription.meta({
    description: 'What the change is for.',
    examples: ['Pages become a fifth smaller.'],
  }),
} as const;

const base = z.int().min(1).meta({ description: 'Number of the revision that the change set is based on.' });

const contentMembers = {
  operations: z
    .array(AnyObject)
    .max(usageLimits.operations.ceiling)
    .optional()
    .meta({
      description: `Steps that are carried out one after another: objects with \`op\` \`create\`, \`update\`, \`delete\`, \`move\` or \`settings\`; at most ${usageLimits.operations.default} unless the operator sets another limit. Absent if a patch was sent.`,
    }),
  patch: AnyObject.optional().meta({
    description:
      'Merge patch (RFC 7396) on the zone document of the base, limited to settings and rules. Send either this or `operations`.',
    examples: [{ zone_settings: { minifyHtml: true } }],
  }),
} as const;

/** The writable members of a change set. */
export const ChangeSetBody = z.strictObject({
  title: texts.title.optional(),
  description: texts.description.optional(),
  base: base.optional(),
  ...contentMembers,
});

const summaryMembers = {
  id: uuid('Id of the change set.'),
  zone: readOnlyLink('Zone', 'The zone that is to be changed.'),
  ...texts,
  status: readOnly(
    z.enum(changeSetStatuses),
    '`conflicted` means open, but the zone has since changed in places that the change set also changes.',
  ),
  base,
} as const;

const stampMembers = {
  createdBy: readOnlyLink(
    'User',
    'The user who created the change set; absent once the account is deleted.',
  ).optional(),
  createdAt: timestamp('When the change set was created.'),
  updatedAt: timestamp('When the change set last changed.'),
  expiresAt: timestamp('When an open change set is discarded: 30 days after its last change.').optional(),
  appliedRevision: readOnly(z.int().min(1), 'Number of the revision that the change set created.').optional(),
  appliedBy: readOnlyLink('User', 'The user who applied the change set.').optional(),
  appliedAt: timestamp('When the change set was applied.').optional(),
  promotion: readOnlyLink('Promotion', 'The promotion that created the change set.').optional(),
} as const;

/** A change set in a list. */
export const changeSetResource = {
  type: 'ChangeSet',
  title: 'change set',
  description: 'A draft of changes to the settings and rules of a zone, which can be examined and applied at once.',
  schema: z.object({ ...summaryMembers, ...stampMembers }),
} as const satisfies ResourceDescription;

/** A single change set. */
export const changeSetDetailsResource = {
  ...changeSetResource,
  name: 'ChangeSetDetails',
  schema: z.object({
    ...summaryMembers,
    ...contentMembers,
    conflicts: readOnly(z.array(Conflict), 'What keeps a conflicted change set from merging, by path.').optional(),
    ...stampMembers,
  }),
} as const satisfies ResourceDescription;

/** A change set with its operations. */
export const presentChangeSet = (seen: ChangeSetWithConflicts): Item =>
  itemOf(changeSetDetailsResource, identityOf(seen), {
    ...shown(seen),
    operations: seen.set.operations && new JsonText(seen.set.operations),
    patch: new JsonText(seen.set.patch),
    conflicts: seen.status === 'conflicted' ? seen.conflicts : undefined,
  });

const presentListed = (listed: ListedChangeSet): Item => itemOf(changeSetResource, identityOf(listed), shown(listed));

/** Change sets without their operations, which can be large. */
export const presentChangeSets = presentPage('ChangeSet', presentListed, [
  { variable: 'status', property: 'status' },
  { variable: 'status[]', property: 'status' },
  { variable: 'createdBy', property: 'createdBy' },
  { variable: 'order[createdAt]', property: 'createdAt' },
  { variable: 'order[updatedAt]', property: 'updatedAt' },
]);

const identityOf = (listed: ListedChangeSet) => ({
  iri: iri.changeSet(listed.set),
  version: changeSetVersion(listed, sha256),
});

const shown = ({ set, status }: ListedChangeSet) => ({
  ...set,
  zone: iri.zone(set.zoneId),
  status,
  createdBy: set.createdBy && iri.user(set.createdBy),
  expiresAt: set.status === 'open' ? set.endsAt : undefined,
  appliedRevision: set.application?.revision,
  appliedBy: set.application?.by && iri.user(set.application.by),
  appliedAt: set.application?.at,
  promotion: set.promotion && iri.promotion({ zoneId: set.zoneId, id: set.promotion }),
});
