import { createHash } from 'node:crypto';
import type { TokenHash, TokenHashes } from '@zonewright/core';

/** Unsalted SHA-256: enough for random tokens, and for nothing a person made up. */
export const sha256TokenHashes = (): TokenHashes => ({
  // The only place that makes these hashes outside of tests.
  of: (token) => createHash('sha256').update(token, 'utf8').digest('hex') as TokenHash,
});
