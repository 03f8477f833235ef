import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import type { SecretBox } from '@zonewright/core';
import { type KeyRing, type SecretKeys, secretKeys } from './key-ring.ts';

const version = 'v1';
const cipherName = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a separate key per context, derived by HKDF-SHA-256 (RFC 5869) to keep the number of random nonces
 * per key small. A sealed value is `v1.kid.nonce.ciphertext.tag`, the last three in base64url.
 */
export const aesSecretBox = (ring: KeyRing): SecretBox => boxWith(secretKeys(ring), derivedKey);

/** The same with keys that are derived from those of the ring in another way. The context is bound in any case. */
export function boxWith(
  { current, byKid }: SecretKeys,
  keyFor: (key: KeyObject, context: string) => Uint8Array,
): SecretBox {
  return {
    seal(plaintext, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(cipherName, keyFor(current.key, context), nonce, { authTagLength: tagBytes });
      cipher.setAAD(boundData(context, current.kid));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return [version, current.kid, ...[nonce, ciphertext, cipher.getAuthTag()].map(base64url)].join('.');
    },
    open(sealed, context) {
      const { kid, nonce, ciphertext, tag } = partsOf(sealed);
      const key = byKid.get(kid);
      if (key === undefined) throw new Error('The sealed value uses a key that is not in the key ring.');
      const decipher = createDecipheriv(cipherName, keyFor(key, context), nonce, { authTagLength: tagBytes });
      decipher.setAAD(boundData(context, kid)).setAuthTag(tag);
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
    },
    isCurrent: (sealed) => partsOf(sealed).kid === current.kid,
  };
}

/** A key for one purpose, derived by HKDF-SHA-256. */
export const derivedKey = (key: KeyObject, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, new Uint8Array(), purpose, keyBytes));

/** Key ids contain no dot, so different pairs never produce the same bytes. */
const boundData = (context: string, kid: string): Buffer => Buffer.from(`${version}.${kid}.${context}`, 'utf8');

function partsOf(sealed: string) {
  const [label, kid, ...encoded] = sealed.split('.');
  const [nonce, ciphertext, tag] = encoded.map(exactBytes);
  if (
    label !== version ||
    kid === undefined ||
    encoded.length !== 3 ||
    nonce?.length !== nonceBytes ||
    ciphertext === undefined ||
    tag?.length !== tagBytes
  ) {
    throw new Error('The sealed value is malformed.');
  }
  return { kid, nonce, ciphertext, tag };
}

const base64url = (bytes: Buffer): string => bytes.toString('base64url');

/** Accepts only the canonical encoding: the decoder alone would skip invalid characters. */
function exactBytes(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (base64url(bytes) !== text) throw new Error('The sealed value is malformed.');
  return bytes;
}
