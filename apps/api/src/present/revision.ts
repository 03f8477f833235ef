import type { Revision, RevisionDetails, RevisionDiff } from '@zonewright/core';
import { iri } from '../http/iri.ts';
import { Item, JsonText, type Members } from '../http/resource.ts';
import { presentPage } from './page.ts';

/** One change of a zone: who did what when, and the merge patches that do and undo it. */
const revisionItem = (revision: Revision, more: Members = {}): Item =>
  new Item({
    type: 'Revision',
    iri: iri.revision(revision),
    version: String(revision.number),
    members: {
      number: revision.number,
      zone: iri.zone(revision.zoneId),
      action: revision.action,
      objects: revision.objects,
      author: revision.author && iri.user(revision.author),
      createdAt: revision.createdAt,
      patch: new JsonText(revision.patch),
      inversePatch: new JsonText(revision.inverse),
      ...more,
    },
  });

/** A revision with the whole document as it was then. */
export const presentRevision = ({ revision, state }: RevisionDetails): Item => revisionItem(revision, { state });

export const presentRevisions = presentPage('Revision', (revision: Revision) => revisionItem(revision));

/** What leads from one revision to another and back; neither ever changes. */
export const presentDiff = ({ zoneId, from, to, patch, inverse }: RevisionDiff): Item =>
  new Item({
    type: 'RevisionDiff',
    iri: `${iri.revision({ zoneId, number: from })}/diff/${to}`,
    version: `${from}.${to}`,
    members: {
      zone: iri.zone(zoneId),
      from,
      to,
      patch: new JsonText(patch),
      inversePatch: new JsonText(inverse),
    },
  });
