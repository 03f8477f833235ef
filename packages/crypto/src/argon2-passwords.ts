import { randomBytes } from 'node:crypto';
import type { PasswordAttempt, PasswordHash, PasswordHashes } from '@zonewright/core';
import argon2 from 'argon2';
import {
  type Argon2Parameters,
  decoyHash,
  hashBytes,
  isWithin,
  maxParameters,
  minParameters,
  parametersOf,
} from './argon2-parameters.ts';
import type { HashingGate } from './hashing-gate.ts';

const maxAttemptBytes = 1024;

/**
 * Hashes passwords with argon2id in PHC string format, with a 16-byte salt and a 32-byte hash (RFC 9106). Passwords are
 * compared in Unicode normalization form KC. Throws if the parameters are below the minimum or above what could be
 * verified again.
 */
export function argon2Passwords(gate: HashingGate, parameters: Partial<Argon2Parameters> = {}): PasswordHashes {
  const today = checked({ ...minParameters, ...parameters });
  const decoy = decoyHash(today, randomBytes);
  return {
    hash: (password) =>
      // The library returns a PHC string, the format of the branded type.
      gate.run(async () => (await argon2.hash(bytesOf(password), libraryOptions(today))) as PasswordHash),
    verify: (hash, attempt) =>
      gate.run(async () => {
        parametersOf(hash ?? decoy);
        const matches = await argon2.verify(hash ?? decoy, bytesOf(beginningOf(attempt)));
        return matches && hash !== undefined;
      }),
    isOutdated: (hash) => !isWithin(today, parametersOf(hash)),
  };
}

function checked({ memoryKiB, iterations, parallelism }: Argon2Parameters): Argon2Parameters {
  const parameters = { memoryKiB, iterations, parallelism };
  if (!isWithin(minParameters, parameters) || !isWithin(parameters, maxParameters)) {
    throw new RangeError(`The argon2 parameters ${JSON.stringify(parameters)} are outside the accepted range.`);
  }
  return parameters;
}

const libraryOptions = ({ memoryKiB, iterations, parallelism }: Argon2Parameters) => ({
  type: argon2.argon2id,
  memoryCost: memoryKiB,
  timeCost: iterations,
  parallelism,
  hashLength: hashBytes,
});

const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFKC'), 'utf8');

/**
 * The part of an attempt to hash: whole characters, at most 1,024 bytes. Truncated before normalization, which can
 * lengthen it; a password that meets the rules has at most 1,020 bytes, so none is ever truncated.
 */
function beginningOf(attempt: PasswordAttempt): string {
  const { read } = new TextEncoder().encodeInto(attempt, new Uint8Array(maxAttemptBytes));
  return attempt.slice(0, read);
}
