import { type ComparableSecretBox, type SecretBox, unreadableBanToken, type ZoneId } from '@zonewright/core';

/** The values of the columns of a ban token; null for those of one that stays. */
export const banTokenColumns = (box: ComparableSecretBox, zone: ZoneId, token: string | undefined) => ({
  banTokenHash: token === undefined ? null : box.hash(token),
  sealedBanToken: token === undefined ? null : box.seal(token, contextOf(zone)),
});

/** A ban token as statements read it: sealed, or still in plain text. */
export type StoredBanToken = string | null;

/** The ban token of a zone. Throws if it cannot be decrypted. */
export function decryptedBanToken(box: SecretBox, zone: ZoneId, stored: StoredBanToken): string {
  if (stored === null) throw new Error('The zone has the hash of a ban token, but no ban token.');
  return isSealed(stored) ? box.open(stored, contextOf(zone)) : stored;
}

/** The ban token to show: without the keys file, everything else in a zone must still be readable. */
export function shownBanToken(box: SecretBox, zone: ZoneId, stored: StoredBanToken): string {
  try {
    return decryptedBanToken(box, zone, stored);
  } catch {
    return unreadableBanToken;
  }
}

/** Whether it is encrypted with the current key. */
export const isSealedAsNow = (box: SecretBox, stored: StoredBanToken): boolean =>
  stored !== null && isSealed(stored) && box.isCurrent(stored);

/** Sealed values start with their format; ban tokens with `ban_`. */
const isSealed = (stored: string): boolean => stored.startsWith('v1.');

/** Binds a sealed token to its row. */
const contextOf = (zone: ZoneId): string => `zones.sealed_ban_token.${zone}`;
