import { type ResourceDescription, readOnly, readOnlyLink, timestamp } from '@zonewright/api-description';
import { auditActions, type RevisionDetails, type RevisionDiff, type RevisionSummary } from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { JsonText } from '../../resources/resource.ts';
import { itemOf, presentPage } from '../item.ts';

const MergePatch = z.record(z.string(), z.unknown());

/** The merge patches of a single revision. */
export const pairMembers = {
  patch: readOnly(MergePatch, 'Merge patch (RFC 7396) that applies the change to the document before it.'),
  inversePatch: readOnly(MergePatch, 'Merge patch that reverts the change.'),
} as const;

/** Members common to all revisions. */
export const summaryMembers = {
  number: readOnly(z.int().min(1), 'Revision number; increases by one with each change.'),
  action: readOnly(z.enum(auditActions), 'What was done.'),
  author: readOnlyLink('User', 'The user who made the change; absent once the account is deleted.').optional(),
  createdAt: timestamp('When the change was made.'),
} as const;

const revisionMembers = {
  number: summaryMembers.number,
  zone: readOnlyLink('Zone', 'The zone that was changed.'),
  action: summaryMembers.action,
  objects: readOnly(z.record(z.string(), z.string()), 'Ids of the objects changed inside the zone, by kind.'),
  author: summaryMembers.author,
  createdAt: summaryMembers.createdAt,
} as const;

/** A zone revision in a list. */
export const revisionResource = {
  type: 'Revision',
  title: 'revision',
  description: 'A change to a zone or its contents.',
  schema: z.object(revisionMembers),
} as const satisfies ResourceDescription;

/** A single zone revision. */
export const revisionDetailsResource = {
  ...revisionResource,
  name: 'RevisionDetails',
  schema: z.object({
    ...revisionMembers,
    ...pairMembers,
    state: readOnly(z.record(z.string(), z.unknown()), 'The complete zone document after the change.'),
  }),
} as const satisfies ResourceDescription;

/** The difference between two revisions. */
export const revisionDiffResource = {
  type: 'RevisionDiff',
  title: 'difference between revisions',
  description: 'The difference between two revisions, in both directions.',
  schema: z.object({
    zone: readOnlyLink('Zone', 'The zone.'),
    from: readOnly(z.int().min(1), 'Number of the first revision.'),
    to: readOnly(z.int().min(1), 'Number of the second revision.'),
    ...pairMembers,
  }),
} as const satisfies ResourceDescription;

const identityOf = (revision: RevisionSummary) => ({
  iri: iri.revision(revision),
  version: String(revision.number),
});

const shown = (revision: RevisionSummary) => ({
  ...revision,
  zone: iri.zone(revision.zoneId),
  author: revision.author && iri.user(revision.author),
});

/** A revision with its merge patch, the inverse, and the complete document at that time. */
export const presentRevision = ({ revision, state }: RevisionDetails) =>
  itemOf(revisionDetailsResource, identityOf(revision), {
    ...shown(revision),
    patch: new JsonText(revision.patch),
    inversePatch: new JsonText(revision.inverse),
    state,
  });

/** Revisions without patches, which can be large: author, action and time. */
export const presentRevisions = presentPage('Revision', (revision: RevisionSummary) =>
  itemOf(revisionResource, identityOf(revision), shown(revision)),
);

/** The patches between two revisions, in both directions; immutable, as revisions are. */
export const presentDiff = ({ zoneId, from, to, patch, inverse }: RevisionDiff) =>
  itemOf(
    revisionDiffResource,
    { iri: `${iri.revision({ zoneId, number: from })}/diff/${to}`, version: `${from}.${to}` },
    { zone: iri.zone(zoneId), from, to, patch: new JsonText(patch), inversePatch: new JsonText(inverse) },
  );
