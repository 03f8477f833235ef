import { storedDocument, type UserId, type Zone } from '@zonewright/core';

/** A zone as stored; its settings are JSON text. */
export type ZoneRow = Omit<Zone, 'settings' | 'createdBy'> & {
  readonly settings: string;
  readonly createdBy: UserId | null;
};

/** Converts a row to a zone; settings remain JSON text. */
export const zoneOf = ({ settings, createdBy, ...row }: ZoneRow): Zone => ({
  ...row,
  createdBy: createdBy ?? undefined,
  settings: storedDocument(settings),
});
