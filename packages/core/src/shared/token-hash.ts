import type { z } from 'zod';

/** SHA-256 of a token with at least 128 bits of entropy, in lower-case hex: all that is stored of it. */
export type TokenHash = string & z.$brand<'TokenHash'>;

export interface TokenHashes {
  of(token: string): TokenHash;
}
