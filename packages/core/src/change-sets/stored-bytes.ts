import { utf8Bytes } from '../shared/text.ts';
import { bytesPerRow } from '../usage-limits/stored-bytes.ts';
import type { ChangeSet } from './change-set.ts';

/** What a change set counts towards the quota of its organization. */
export const bytesOfChangeSet = ({
  title,
  description,
  patch,
  operations,
  disputed,
}: Pick<ChangeSet, 'title' | 'description' | 'patch' | 'operations' | 'disputed'>): number =>
  [title, description, patch.text, operations?.text ?? '', disputed?.text ?? ''].reduce(
    (sum, part) => sum + utf8Bytes(part),
    bytesPerRow,
  );
