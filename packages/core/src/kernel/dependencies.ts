import type { Randomness } from './shared/randomness.ts';
import type { Sha256 } from './shared/sha256.ts';
import type { TokenHashes } from './shared/token-hash.ts';

/** The ports besides storage that every context may use. */
export interface KernelDependencies {
  readonly randomness: Randomness;
  readonly tokenHashes: TokenHashes;
  readonly sha256: Sha256;
}
