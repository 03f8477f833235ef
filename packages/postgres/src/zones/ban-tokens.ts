import type { ComparableSecretBox, SecretBox, ZoneId } from '@zonewright/core';

/** The values of the columns of a ban token; null for those of one that stays. */
export const banTokenColumns = (box: ComparableSecretBox, zone: ZoneId, token: string | undefined) => ({
  banTokenHash: token === undefined ? null : box.hash(token),
  sealedBanToken: token === undefined ? null : box.seal(token, contextOf(zone)),
});

/**
 * The ban token of a zone; undefined if it cannot be decrypted: without the keys file, everything else in a zone must
 * still be readable.
 */
export function readBanToken(box: SecretBox, zone: ZoneId, sealed: string | null): string | undefined {
  if (sealed === null) return undefined;
  try {
    return box.open(sealed, contextOf(zone));
  } catch {
    return undefined;
  }
}

/** Binds a sealed token to its row. */
const contextOf = (zone: ZoneId): string => `zones.sealed_ban_token.${zone}`;
