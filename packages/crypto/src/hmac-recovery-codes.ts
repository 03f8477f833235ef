import { createHmac, type KeyObject } from 'node:crypto';
import type { RecoveryCode, RecoveryCodeHash, RecoveryCodeHashes, UserId } from '@zonewright/core';
import { type KeyRing, secretKeys } from './key-ring.ts';

interface NamedKey {
  readonly kid: string;
  readonly key: KeyObject;
}

/**
 * Recovery codes as HMAC-SHA-256 over user id and code, stored as `kid.mac` with the MAC in base64url. A fast hash is
 * enough for random 120-bit codes; the key makes a copy of the database useless by itself.
 */
export function hmacRecoveryCodes(ring: KeyRing): RecoveryCodeHashes {
  const { current, byKid } = secretKeys(ring);
  const others = [...byKid].map(([kid, key]) => ({ kid, key })).filter(({ kid }) => kid !== current.kid);
  return {
    of: (user, code) => hashOf(current, user, code),
    candidates: (user, code) => [current, ...others].map((named) => hashOf(named, user, code)),
  };
}

/** User ids contain no dot, so different pairs never produce the same bytes. */
const hashOf = ({ kid, key }: NamedKey, user: UserId, code: RecoveryCode): RecoveryCodeHash =>
  // The only place that creates these hashes.
  `${kid}.${createHmac('sha256', key).update(`${user}.${code}`, 'utf8').digest('base64url')}` as RecoveryCodeHash;
