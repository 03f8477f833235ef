import type { z } from 'zod';
import type { Randomness } from '../../kernel/shared/randomness.ts';

/** The number of recovery codes in a new set. */
export const recoveryCodeCount = 10;

const length = 24;
const group = 6;

/** A recovery code without separators: 24 characters of Crockford's base32, 120 bits. */
export type RecoveryCode = string & z.$brand<'RecoveryCode'>;

/** Keyed hash of a recovery code and its user. */
export type RecoveryCodeHash = string & z.$brand<'RecoveryCodeHash'>;

/** A new set of codes, to be shown once; only their hashes are stored. */
export const newRecoveryCodes = (randomness: Randomness): readonly RecoveryCode[] =>
  // Random base32 text of this length is a valid code.
  Array.from({ length: recoveryCodeCount }, () => randomness.base32(length) as RecoveryCode);

/** The readable form: four groups of six. */
export const formatRecoveryCode = (code: RecoveryCode): string =>
  Array.from({ length: length / group }, (_, index) => code.slice(index * group, (index + 1) * group)).join('-');

/**
 * Parses a typed code, ignoring case and separators and mapping letters that look like digits. Undefined if it cannot
 * be a code.
 */
export function parseRecoveryCode(typed: string): RecoveryCode | undefined {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  // Length and alphabet have been checked.
  return code.length === length && /^[0-9A-HJKMNP-TV-Z]*$/.test(code) ? (code as RecoveryCode) : undefined;
}
