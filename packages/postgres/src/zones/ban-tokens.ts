import type { ComparableSecretBox, SecretBox, ZoneId } from '@zonewright/core';

/** The values of the columns of a ban token; null for those of one that stays. */
export const banTokenColumns = (box: ComparableSecretBox, zone: ZoneId, token: string | undefined) => ({
  banTokenHash: token === undefined ? null : box.hash(token),
  sealedBanToken: token === undefined ? null : box.seal(token, contextOf(zone)),
});

/** A ban token as statements read it: sealed, or still in plain text. */
export type StoredBanToken = string | null;

/**
 * The ban token of a zone; undefined if it cannot be decrypted: without the keys file, everything else in a zone must
 * still be readable.
 */
export function readBanToken(box: SecretBox, zone: ZoneId, stored: StoredBanToken): string | undefined {
  if (stored === null) return undefined;
  if (!isSealed(stored)) return stored;
  try {
    return box.open(stored, contextOf(zone));
  } catch {
    return undefined;
  }
}

/** Whether it is encrypted with the current key. */
export const isSealedAsNow = (box: SecretBox, stored: StoredBanToken): boolean =>
  stored !== null && isSealed(stored) && box.isCurrent(stored);

/** Sealed values start with their format; ban tokens with `ban_`. */
const isSealed = (stored: string): boolean => stored.startsWith('v1.');

/** Binds a sealed token to its row. */
const contextOf = (zone: ZoneId): string => `zones.sealed_ban_token.${zone}`;
