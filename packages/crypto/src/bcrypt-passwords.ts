import type { BasicAuthPasswordHash, BasicAuthPasswordHashes } from '@zonewright/core';
import type { HashingGate } from './hashing-gate.ts';

/** Proxies verify a hash on every request, so they would bear a higher cost. */
const cost = 10;

/**
 * bcrypt with the prefix `$2y$`, which every proxy supports: the same algorithm as `$2b$`, by the name that crypt(3)
 * uses. Hashing occupies threads of the runtime's pool, so it queues with all other slow hashes, and after those of
 * people signing in, since the owner of a zone may request many.
 */
export const bcryptPasswords = (gate: HashingGate): BasicAuthPasswordHashes => ({
  hash: (password) =>
    // The library's hashes start with $2b$.
    gate.run(async () => (await hashed(password)).replace(/^\$2b\$/, '$2y$') as BasicAuthPasswordHash, 'slow'),
});

/** Loads the library with the first password: most instances never hash one. */
async function hashed(password: string): Promise<string> {
  const { default: bcrypt } = await import('bcrypt');
  return bcrypt.hash(password, cost);
}
