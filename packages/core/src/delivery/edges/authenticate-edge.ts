import { err, errAsync, ok, type ResultAsync } from 'neverthrow';
import type { DeliveryDependencies } from '../dependencies.ts';
import { edgeKeyPrefix, type FeedReader } from './edge.ts';
import { type EdgeKeyInvalid, edgeKeyInvalid } from './errors.ts';

export type AuthenticateEdge = (key: string) => ResultAsync<FeedReader, EdgeKeyInvalid>;

/** The edge that has a key. */
export const authenticateEdge =
  ({ tokenHashes, publications }: Pick<DeliveryDependencies, 'tokenHashes' | 'publications'>): AuthenticateEdge =>
  (key) =>
    mayBeEdgeKey(key)
      ? publications
          .readerOf(tokenHashes.of(key))
          .andThen((edge) => (edge === undefined ? err(edgeKeyInvalid()) : ok(edge)))
      : errAsync(edgeKeyInvalid());

/** Whether it looks like a key of an edge. */
export const mayBeEdgeKey = (key: string): boolean => key.startsWith(edgeKeyPrefix) && key.length === 47;
