import type { ResultAsync } from 'neverthrow';
import type { Repositories } from '../repositories.ts';
import { defect } from '../shared/defect.ts';
import type { ZoneId } from '../shared/ids.ts';
import { documentOf, type ZoneDocument } from './zone-document.ts';

/** The whole document of a zone that is there, as the unit sees it. */
export const currentDocument = (
  { zones, basicAuthUsers }: Repositories,
  { id }: { readonly id: ZoneId },
): ResultAsync<ZoneDocument, never> =>
  zones
    .withContents(id)
    .andThen((contents) => basicAuthUsers.all(id).map((users) => documentOf(contents, users)))
    .orElse(() => defect('A locked zone is gone.'));
