import type { ResultAsync } from 'neverthrow';
import { accepted } from './failure.ts';

const limit = 500;

/** Iterates over a paginated list, so that only one page is in memory. */
export async function* batches<Item extends { readonly id: unknown }>(
  read: (batch: {
    readonly after: Item['id'] | undefined;
    readonly limit: number;
  }) => ResultAsync<readonly Item[], never>,
  first?: Item['id'],
): AsyncGenerator<readonly Item[]> {
  for (let after = first; ; ) {
    const items = await accepted(read({ after, limit }));
    if (items.length > 0) yield items;
    if (items.length < limit) return;
    after = items.at(-1)?.id;
  }
}
