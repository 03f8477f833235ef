import { createHmac, hkdfSync } from 'node:crypto';
import type { ComparableSecretBox } from '@zonewright/core';
import { aesSecretBox } from './aes-secret-box.ts';
import { type KeyRing, secretKeys } from './key-ring.ts';

const keyBytes = 32;
const hashPrefix = 'hmac.';
const hashCharacters = 40;

/**
 * The box of `aesSecretBox` with HMAC-SHA-256 as its keyed hash, truncated to 210 bits (RFC 2104 section 5). Its key is
 * derived from that of the ring, like the keys of sealed values.
 */
export function comparableSecretBox(ring: KeyRing): ComparableSecretBox {
  const { current } = secretKeys(ring);
  const key = new Uint8Array(hkdfSync('sha256', current.key, new Uint8Array(), 'hash', keyBytes));
  return {
    ...aesSecretBox(ring),
    hash: (plaintext) =>
      `${hashPrefix}${createHmac('sha256', key).update(plaintext, 'utf8').digest('base64url')}`.slice(
        0,
        hashCharacters,
      ),
  };
}
