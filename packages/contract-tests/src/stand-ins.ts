import { createHash, randomBytes } from 'node:crypto';
import type { AccessTokens, PasswordHash, PasswordHashes, Randomness, TokenHash, TokenHashes } from '@zonewright/core';
import { unauthenticated } from '@zonewright/core';
import { err, okAsync } from 'neverthrow';
import { uuid } from './builders.ts';

/** The ports beside storage that use cases ask for, as cheap as possible. */
export const standIns: {
  readonly randomness: Randomness;
  readonly tokenHashes: TokenHashes;
  readonly passwords: PasswordHashes;
  readonly accessTokens: AccessTokens;
} = {
  randomness: {
    uuid,
    token: () => randomBytes(32).toString('base64url'),
    base62: (length) => randomBytes(length).toString('hex').slice(0, length),
  },
  tokenHashes: { of: (token) => createHash('sha256').update(token).digest('hex') as TokenHash },
  passwords: {
    hash: (password) => okAsync(`hash of ${password}` as PasswordHash),
    verify: (hash, attempt) => okAsync(hash === `hash of ${attempt}`),
    isOutdated: () => false,
  },
  accessTokens: {
    issue: ({ sessionId }) => `access to ${sessionId}`,
    verify: () => err(unauthenticated()),
    verifyIgnoringExpiry: () => err(unauthenticated()),
  },
};
