import type { ResultAsync } from 'neverthrow';
import type { Repositories } from '../repositories.ts';
import type { ZoneId } from '../shared/ids.ts';
import { isJsonObject, type Json, jsonOf, mergePatch } from '../shared/merge-patch.ts';
import type { RevisionNotFound } from './errors.ts';
import type { RevisionNumber } from './revision.ts';
import type { ZoneDocument } from './zone-document.ts';

/** The zone's document as it was once the revision was made. */
export const stateAt = (
  { history }: Repositories,
  zone: ZoneId,
  number: RevisionNumber,
): ResultAsync<ZoneDocument, RevisionNotFound> =>
  history.trail(zone, number).map(({ snapshot, patches }) => {
    const state = patches.reduce((document: Json, patch) => mergePatch(document, jsonOf(patch)), jsonOf(snapshot));
    return isJsonObject(state) ? state : {};
  });
