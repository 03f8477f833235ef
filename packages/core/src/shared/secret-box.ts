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
