import { err, errAsync, ok, type ResultAsync } from 'neverthrow';
import type { TokenHashes } from '../../kernel/shared/token-hash.ts';
import { type EdgeIdentity, edgeKeyPrefix } from './edge.ts';
import { type EdgeKeyInvalid, edgeKeyInvalid } from './errors.ts';
import type { Publications } from './ports.ts';

export type AuthenticateEdge = (key: string) => ResultAsync<EdgeIdentity, EdgeKeyInvalid>;

/** The edge that has a key. */
export const authenticateEdge =
  ({
    tokenHashes,
    publications,
  }: {
    readonly tokenHashes: TokenHashes;
    readonly publications: Publications;
  }): AuthenticateEdge =>
  (key) =>
    mayBeEdgeKey(key)
      ? publications
          .readerOf(tokenHashes.of(key))
          .andThen((edge) => (edge === undefined ? err(edgeKeyInvalid()) : ok(edge)))
      : errAsync(edgeKeyInvalid());

/** Whether it looks like a key of an edge. */
export const mayBeEdgeKey = (key: string): boolean => key.startsWith(edgeKeyPrefix) && key.length === 47;
