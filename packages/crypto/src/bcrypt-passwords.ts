import type { BasicAuthPasswordHash, BasicAuthPasswordHashes } from '@zonewright/core';
import { hash } from 'bcrypt';

/** Proxies hash on every request, so a greater cost would be theirs. */
const cost = 10;

/**
 * bcrypt with the prefix `$2y$`, which every proxy reads: the same algorithm as `$2b$`, under the name that crypt(3)
 * gives it. Hashing runs on threads of the runtime's pool.
 */
export const bcryptPasswords = (): BasicAuthPasswordHashes => ({
  hash: async (password) => (await hash(password, cost)).replace(/^\$2b\$/, '$2y$') as BasicAuthPasswordHash,
});
