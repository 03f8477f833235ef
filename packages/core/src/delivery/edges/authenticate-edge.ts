import { err, errAsync, ok, type ResultAsync } from 'neverthrow';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { type EdgeIdentity, edgeKeyPrefix } from './edge.ts';
import { type EdgeKeyInvalid, edgeKeyInvalid } from './errors.ts';
import type { Edges } from './ports.ts';

interface Repositories {
  readonly edges: Pick<Edges, 'byKeys'>;
}

export type AuthenticateEdge = (key: string) => ResultAsync<EdgeIdentity, EdgeKeyInvalid>;

/** The edge that has a key. */
export const authenticateEdge =
  ({ unitOfWork, tokenHashes }: Pick<Dependencies<Repositories>, 'unitOfWork' | 'tokenHashes'>): AuthenticateEdge =>
  (key) => {
    if (!mayBeEdgeKey(key)) return errAsync(edgeKeyInvalid());
    const hash = tokenHashes.of(key);
    return unitOfWork
      .view(({ edges }) => edges.byKeys([hash]))
      .andThen((found) => {
        const edge = found.get(hash);
        return edge === undefined ? err(edgeKeyInvalid()) : ok(edge);
      });
  };

/** Whether it looks like a key of an edge. */
export const mayBeEdgeKey = (key: string): boolean => key.startsWith(edgeKeyPrefix) && key.length === 47;
