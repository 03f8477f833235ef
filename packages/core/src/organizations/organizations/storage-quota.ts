import { err, ok, okAsync, type ResultAsync } from 'neverthrow';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import { type InvalidInput, invalidAt } from '../../kernel/shared/violation.ts';
import { storedBytes, type Usage } from '../../kernel/usage-limits/usage-limits.ts';
import type { StorageQuotas } from './ports.ts';

/** The violation when what is to be stored exceeds the quota of the organization. */
const storageFull = ({ used, limit }: Usage, more: number): InvalidInput =>
  invalidAt(
    '',
    'organization.storage.limit',
    `The organization stores ${used} of at most ${limit} bytes; this would add ${more}. Deleting and discarding is ` +
      'possible, and counts once deleted zones and discarded drafts expire. The operator can shorten the history or ' +
      'raise the limit.',
  );

/** Refuses to store `more` bytes than the quota leaves; of concurrent units that need the last room, each waits its turn. */
export const requireStorage = (
  { storageQuotas }: { readonly storageQuotas: StorageQuotas },
  organization: OrganizationId,
  more: number,
): ResultAsync<void, InvalidInput> =>
  more <= 0
    ? okAsync()
    : storageQuotas
        .lock(organization, more)
        .andThen((usage) => (usage.used + more > usage.limit ? err(storageFull(usage, more)) : ok()));

type Text = { readonly text: string } | undefined;

/** What a revision counts towards the quota of its organization. */
export const bytesOfRevision = ({
  patch,
  snapshot,
  restored,
}: {
  readonly patch: Text;
  readonly snapshot: Text;
  readonly restored: { readonly adjustment: Text } | undefined;
}): number => storedBytes([patch, snapshot, restored?.adjustment].map((part) => part?.text));
