/**
 * Authenticated encryption of values at rest. `context` (table, column and row id) is bound to the ciphertext: a value
 * that was altered or moved does not open.
 */
export interface SecretBox {
  seal(plaintext: string, context: string): string;
  /** Throws if the value was altered, moved, or sealed with a key that is no longer in the ring. */
  open(sealed: string, context: string): string;
  /** Whether the value was sealed with the current key; if not, seal it again. */
  isCurrent(sealed: string): boolean;
}

/** A box for secrets that are also compared: no two values may be equal, or a value is looked up. */
export interface ComparableSecretBox extends SecretBox {
  /** A keyed hash of 40 characters that starts with `hmac.`, by the current key; equal for equal plaintexts. */
  hash(plaintext: string): string;
}
