import { createHash } from 'node:crypto';
import type { TokenHash, TokenHashes } from '@zonewright/core';

/** Unsalted SHA-256: only for random tokens, never for secrets that people choose. */
export const sha256TokenHashes = (): TokenHashes => ({
  // The only place that creates these hashes, apart from tests.
  of: (token) => createHash('sha256').update(token, 'utf8').digest('hex') as TokenHash,
});
