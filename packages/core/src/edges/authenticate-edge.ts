import { errAsync, type ResultAsync } from 'neverthrow';
import type { Dependencies } from '../repositories.ts';
import { edgeKeyPrefix, type FeedReader } from './edge.ts';
import { type EdgeKeyInvalid, edgeKeyInvalid } from './errors.ts';

export type AuthenticateEdge = (key: string) => ResultAsync<FeedReader, EdgeKeyInvalid>;

/** The edge that has a key. */
export const authenticateEdge =
  ({
    unitOfWork,
    tokenHashes,
    publications,
  }: Pick<Dependencies, 'unitOfWork' | 'tokenHashes' | 'publications'>): AuthenticateEdge =>
  (key) =>
    mayBeEdgeKey(key)
      ? publications.inTurn(() => unitOfWork.view(({ edges }) => edges.byKey(tokenHashes.of(key))))
      : errAsync(edgeKeyInvalid());

/** Whether it looks like a key of an edge. */
export const mayBeEdgeKey = (key: string): boolean => key.startsWith(edgeKeyPrefix) && key.length === 47;
