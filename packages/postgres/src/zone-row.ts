import { storedDocument, type UserId, type Zone } from '@zonewright/core';

/** A zone as it is stored; its settings are text. */
export type ZoneRow = Omit<Zone, 'settings' | 'createdBy'> & {
  readonly settings: string;
  readonly createdBy: UserId | null;
};

/** A zone as the core knows it; settings stay the text that they are stored as. */
export const zoneOf = ({ settings, createdBy, ...row }: ZoneRow): Zone => ({
  ...row,
  createdBy: createdBy ?? undefined,
  settings: storedDocument(settings),
});
