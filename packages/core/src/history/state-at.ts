import type { ResultAsync } from 'neverthrow';
import type { Repositories } from '../repositories.ts';
import type { ZoneId } from '../shared/ids.ts';
import type { RevisionNotFound } from './errors.ts';
import { replay } from './replay.ts';
import type { RevisionNumber } from './revision.ts';
import type { ZoneDocument } from './zone-document.ts';

/** The zone's document right after the revision was created. */
export const stateAt = (
  { history }: Pick<Repositories, 'history'>,
  zone: ZoneId,
  number: RevisionNumber,
): ResultAsync<ZoneDocument, RevisionNotFound> =>
  history
    .patchChain(zone, number)
    .map(({ snapshot, patches }) => patches.reduce((document, { value }) => replay(document, value), snapshot.value));
