import type { ResultAsync } from 'neverthrow';
import { accepted } from './failure.ts';

const limit = 500;

type Read<Item extends { readonly id: unknown }> = (batch: {
  readonly after: Item['id'] | undefined;
  readonly limit: number;
}) => ResultAsync<readonly Item[], never>;

/** Iterates over a paginated list, so that only one page is in memory. */
export async function* batches<Item extends { readonly id: unknown }>(
  read: Read<Item>,
  first?: Item['id'],
): AsyncGenerator<readonly Item[]> {
  for (let after = first; ; ) {
    const items = await accepted(read({ after, limit }));
    if (items.length > 0) yield items;
    if (items.length < limit) return;
    after = items.at(-1)?.id;
  }
}

/** All items of the list that fulfil a condition. */
export async function everyItem<Item extends { readonly id: unknown }>(
  read: Read<Item>,
  isWanted: (item: Item) => boolean = () => true,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const batch of batches(read)) items.push(...batch.filter(isWanted));
  return items;
}
