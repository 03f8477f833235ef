import type { Randomness } from './randomness.ts';
import type { Sha256 } from './sha256.ts';
import type { TokenHashes } from './token-hash.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** The ports of which use cases are made in every context; each picks those it needs. */
export interface Dependencies<Repositories = unknown> {
  readonly unitOfWork: UnitOfWork<Repositories>;
  readonly randomness: Randomness;
  readonly tokenHashes: TokenHashes;
  readonly sha256: Sha256;
}
