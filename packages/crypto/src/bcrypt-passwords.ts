import type { BasicAuthPasswordHash, BasicAuthPasswordHashes } from '@zonewright/core';
import type { HashingGate } from './hashing-gate.ts';

/** Proxies hash on every request, so a greater cost would be theirs. */
const cost = 10;

/**
 * bcrypt with the prefix `$2y$`, which every proxy reads: the same algorithm as `$2b$`, under the name that crypt(3)
 * gives it. Hashing runs on threads of the runtime's pool, so it waits for its turn like every other slow hash, and
 * after those of people who sign in: the owner of a zone may ask for many.
 */
export const bcryptPasswords = (gate: HashingGate): BasicAuthPasswordHashes => ({
  hash: (password) =>
    // Hashes of the library begin with $2b$, which is replaced here.
    gate.run(async () => (await hashed(password)).replace(/^\$2b\$/, '$2y$') as BasicAuthPasswordHash, 'slow'),
});

/** The library is loaded with the first password: most instances never hash one. */
async function hashed(password: string): Promise<string> {
  const { default: bcrypt } = await import('bcrypt');
  return bcrypt.hash(password, cost);
}
