import type { z } from 'zod';
import type { Randomness } from '../shared/randomness.ts';

/** How many recovery codes an account has at first. */
export const recoveryCodeCount = 10;

const length = 24;
const group = 6;

/** A recovery code without separators: 24 characters of Crockford's base32, 120 bits. */
export type RecoveryCode = string & z.$brand<'RecoveryCode'>;

/** Keyed hash of a recovery code and the user it belongs to. */
export type RecoveryCodeHash = string & z.$brand<'RecoveryCodeHash'>;

/** A whole new set of codes, to be shown once; only their hashes are stored. */
export const newRecoveryCodes = (randomness: Randomness): readonly RecoveryCode[] =>
  // Random base32 text of that length is what a code is.
  Array.from({ length: recoveryCodeCount }, () => randomness.base32(length) as RecoveryCode);

/** As people write it down: four groups of six. */
export const shown = (code: RecoveryCode): string =>
  Array.from({ length: length / group }, (_, index) => code.slice(index * group, (index + 1) * group)).join('-');

/**
 * The code that was meant: case, separators and the letters that look like digits do not matter.
 * Undefined when it cannot be one.
 */
export function readRecoveryCode(typed: string): RecoveryCode | undefined {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  // The length and the alphabet are those of a code.
  return code.length === length && /^[0-9A-HJKMNP-TV-Z]*$/.test(code) ? (code as RecoveryCode) : undefined;
}
