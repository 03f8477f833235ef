import type { Ports } from '@zonewright/core';
import {
  aesSecretBox,
  argon2Passwords,
  bcryptPasswords,
  comparableSecretBox,
  type HashingGate,
  hmacRecoveryCodes,
  jwtAccessTokens,
  nodeRandomness,
  otplibCodes,
  qrCodes,
  sealedFlows,
  sha256,
  sha256TokenHashes,
} from '@zonewright/crypto';
import type { Config } from './config.ts';
import { ringOf } from './key-rings.ts';
import type { Keys } from './keys-file.ts';

/** An installation's cryptography: its keys, its address as issuer of tokens, and the queue for slow hashes. */
export interface CryptographyOptions {
  readonly config: Pick<Config, 'publicBaseUrl'>;
  readonly keys: Keys;
  readonly hashing: HashingGate;
}

/** The ports that cryptography implements, the same for the service and the command line of an installation. */
export const cryptography = ({ config: { publicBaseUrl }, keys, hashing }: CryptographyOptions) =>
  ({
    passwords: argon2Passwords(hashing),
    basicAuthPasswords: bcryptPasswords(hashing),
    accessTokens: jwtAccessTokens({ keys: ringOf(keys.jwt), issuer: publicBaseUrl, audience: publicBaseUrl }),
    randomness: nodeRandomness(),
    tokenHashes: sha256TokenHashes(),
    sha256,
    oneTimeCodes: otplibCodes({ issuer: 'Zonewright' }),
    qrCodes: qrCodes(),
    recoveryCodeHashes: hmacRecoveryCodes(ringOf(keys.recovery)),
    sealedFlows: sealedFlows(aesSecretBox(ringOf(keys.flows))),
  }) satisfies Partial<Ports>;

/** Encrypt what storage keeps secret. */
export const secretBoxes = (keys: Keys) => ({
  outbox: aesSecretBox(ringOf(keys.outbox)),
  totp: aesSecretBox(ringOf(keys.totp)),
  banTokens: comparableSecretBox(ringOf(keys.banTokens)),
});
