import { createHmac } from 'node:crypto';
import type { ComparableSecretBox } from '@zonewright/core';
import { boxWith, derivedKey } from './aes-secret-box.ts';
import { type KeyRing, secretKeys } from './key-ring.ts';

const hashPrefix = 'hmac.';
const hashCharacters = 40;

/**
 * A box for many small secrets: like `aesSecretBox`, but with one key for all contexts, because deriving a key takes
 * longer than decrypting; random nonces allow 2^32 secrets (NIST SP 800-38D section 8.3). Its keyed hash is HMAC-SHA-256
 * truncated to 210 bits (RFC 2104 section 5).
 */
export function comparableSecretBox(ring: KeyRing): ComparableSecretBox {
  const keys = secretKeys(ring);
  const derived = new Map([...keys.byKid.values()].map((key) => [key, derivedKey(key, 'seal')]));
  const hashKey = derivedKey(keys.current.key, 'hash');
  return {
    ...boxWith(keys, (key) => derived.get(key) ?? derivedKey(key, 'seal')),
    hash: (plaintext) =>
      `${hashPrefix}${createHmac('sha256', hashKey).update(plaintext, 'utf8').digest('base64url')}`.slice(
        0,
        hashCharacters,
      ),
  };
}
