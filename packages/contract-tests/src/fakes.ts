import { createHash, randomBytes } from 'node:crypto';
import type {
  AccessClaims,
  AccessTokens,
  MailCap,
  OneTimeCodes,
  OriginNetworks,
  PasskeyCeremonies,
  PasswordBlocklist,
  PasswordHashes,
  Randomness,
  RecoveryCodeHash,
  RecoveryCodeHashes,
  TokenHash,
  TokenHashes,
} from '@zonewright/core';
import { unauthenticated, useCases } from '@zonewright/core';
import { plainPasskeyCeremonies } from '@zonewright/memory';
import { err, ok, okAsync } from 'neverthrow';
import { aPasswordHash, aTotpSecret, uuid } from './builders/index.ts';
import type { Storage } from './storage.ts';

const base32Digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
// Fakes create branded values themselves: the casts of this file.
const hashOf: RecoveryCodeHashes['of'] = (user, code) => `test:${user}:${code}` as RecoveryCodeHash;

const claimsIn: AccessTokens['verify'] = (token) => {
  const [kind, userId, sessionId] = token.split('/');
  return kind === 'access' ? ok({ userId, sessionId } as AccessClaims) : err(unauthenticated());
};

/** The other ports that use cases need, as cheap as possible. */
export const fakePorts: {
  readonly randomness: Randomness;
  readonly tokenHashes: TokenHashes;
  readonly passwords: PasswordHashes;
  readonly accessTokens: AccessTokens;
  readonly oneTimeCodes: OneTimeCodes;
  readonly recoveryCodeHashes: RecoveryCodeHashes;
  readonly passkeyCeremonies: PasskeyCeremonies;
  readonly blocklist: PasswordBlocklist;
  readonly originNetworks: OriginNetworks;
  readonly cap: MailCap;
} = {
  originNetworks: [],
  randomness: {
    uuid,
    token: () => randomBytes(32).toString('base64url'),
    base62: (length) => randomBytes(length).toString('hex').slice(0, length),
    base32: (length) => Array.from(randomBytes(length), (byte) => base32Digits.charAt(byte % 32)).join(''),
  },
  tokenHashes: { of: (token) => createHash('sha256').update(token).digest('hex') as TokenHash },
  passwords: {
    hash: (password) => okAsync(aPasswordHash(`hash of ${password}`)),
    verify: (hash, attempt) => okAsync(hash === `hash of ${attempt}`),
    isOutdated: () => false,
  },
  accessTokens: {
    issue: ({ userId, sessionId }) => `access/${userId}/${sessionId}`,
    verify: claimsIn,
    verifyIgnoringExpiry: claimsIn,
  },
  // Every six-digit code is valid once, for the time step of that number.
  oneTimeCodes: {
    newSecret: aTotpSecret,
    provisioningUri: (secret, account) => `otpauth://totp/${account}?secret=${secret}`,
    stepOf: (_, code) => Number(code),
  },
  recoveryCodeHashes: { of: hashOf, candidates: (user, code) => [hashOf(user, code)] },
  passkeyCeremonies: plainPasskeyCeremonies(),
  blocklist: { entries: undefined },
  cap: { mailsPerHour: 3 },
};

type PortsHere = typeof fakePorts & Pick<Storage, 'unitOfWork'>;

/** The use cases on this storage. */
export const casesOn = ({ unitOfWork }: Pick<Storage, 'unitOfWork'>): ReturnType<typeof useCases<PortsHere>> =>
  useCases({ unitOfWork, ...fakePorts });
