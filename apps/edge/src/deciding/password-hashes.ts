import bcrypt from 'bcrypt';
import { hasSha512Crypt } from './crypt/sha512-crypt.ts';

/**
 * Whether a password has a hash as the service stores it: bcrypt (`$2y$`, the same algorithm as `$2b$`), or SHA-512 crypt
 * (`$6$`). Both are computed on other threads.
 */
export async function isRightPassword(password: Buffer, hash: string): Promise<boolean> {
  if (hash.startsWith('$6$')) return hasSha512Crypt(password, hash);
  // Nothing has a hash that the library cannot read.
  return bcrypt.compare(password, hash.replace(/^\$2[ay]\$/, '$2b$')).catch(() => false);
}
