import { type SecretBox, storedDocument, type UserId, unreadableBanToken, type Zone } from '@zonewright/core';
import { readBanToken } from './ban-tokens.ts';

/** A zone as stored; its settings are JSON text. */
export type ZoneRow = Omit<Zone, 'settings' | 'createdBy' | 'banToken'> & {
  readonly settings: string;
  readonly createdBy: UserId | null;
  /** Sealed. */
  readonly banToken: string | null;
};

/** Converts a row to a zone: decrypts the ban token; settings remain JSON text. */
export const zoneOf = (box: SecretBox, { settings, createdBy, banToken, ...row }: ZoneRow): Zone => ({
  ...row,
  banToken: readBanToken(box, row.id, banToken) ?? unreadableBanToken,
  createdBy: createdBy ?? undefined,
  settings: storedDocument(settings),
});
