/**
 * Authenticated encryption of values at rest. `context` (table, column and row id) is bound to the ciphertext:
 * a value that was moved or altered does not open.
 */
export interface SecretBox {
  seal(plaintext: string, context: string): string;
  /** Throws when the value was altered, moved, or sealed with a key that is no longer in the ring. */
  open(sealed: string, context: string): string;
  /** Whether the value was sealed with the key that seals new ones; if not, it should be sealed again. */
  isCurrent(sealed: string): boolean;
}
