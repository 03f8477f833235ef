import type { z } from 'zod';

/** SHA-256 in lower-case hex of a token with at least 128 bits of entropy; the token itself is never stored. */
export type TokenHash = string & z.$brand<'TokenHash'>;

/** Hashes tokens that have enough entropy to need neither salt nor a slow hash. */
export interface TokenHashes {
  of(token: string): TokenHash;
}
