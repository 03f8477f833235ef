import { bytesPerRow } from '../organizations/storage-quota.ts';
import { utf8Bytes } from '../shared/text.ts';
import type { NewRevision } from './ports.ts';

/** What a revision counts towards the quota of its organization. */
export const bytesOfRevision = ({
  patch,
  snapshot,
  restored,
}: Pick<NewRevision, 'patch' | 'snapshot' | 'restored'>): number =>
  [patch, snapshot, restored?.adjustment].reduce(
    (sum, part) => sum + (part === undefined ? 0 : utf8Bytes(part.text)),
    bytesPerRow,
  );
