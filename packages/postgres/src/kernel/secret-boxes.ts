import type { ComparableSecretBox, SecretBox } from '@zonewright/core';

/** Encryption of values that must not be readable in the database. */
export interface SecretBoxes {
  /** Mails awaiting delivery. */
  readonly outbox: SecretBox;
  /** Shared secrets of authenticator apps. */
  readonly totp: SecretBox;
  /** Ban tokens of zones. */
  readonly banTokens: ComparableSecretBox;
}
