import type { z } from 'zod';

/** SHA-256 of a token with at least 128 bits of entropy, in lower-case hex: all that is stored of it. */
export type TokenHash = string & z.$brand<'TokenHash'>;

/** Hashing of tokens that are random and long enough to need neither salt nor slowness. */
export interface TokenHashes {
  of(token: string): TokenHash;
}
