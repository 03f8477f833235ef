import { type DeletedZone, type DeletedZones, deletedZoneNotFound, type SecretBox, searchKey } from '@zonewright/core';
import { err, ok } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { substringPattern } from '../connection/like-pattern.ts';
import { type Reserve, textWithin } from '../connection/long-texts.ts';
import { change, itemOf, many, pageOf, type RowOf, required, type SizedRow } from '../connection/query.ts';
import { sql } from '../sql.ts';
import { type NestedRow, type StateRow, stateIn } from './zone-state-rows.ts';

/**
 * Deleted zones over one connection. `box` opens no ban tokens: deleted zones have none. `reserve` waits for the memory
 * that long texts take.
 */
export const postgresDeletedZones = (on: Connection, box: SecretBox, reserve?: Reserve): DeletedZones => ({
  list: ({ organization, zones, search = '' }, page) => {
    const values = { organization, zones: zones ?? null, pattern: substringPattern(searchKey(search)) };
    return pageOf(on, sql.deletedZones, values, page, itemOf<DeletedZone>);
  },
  byId: (organization, id) =>
    required<RowOf<DeletedZone>>(on, sql.deletedZones.byId, { organization, id })
      .mapErr(deletedZoneNotFound)
      .map(itemOf<DeletedZone>),
  state: (organization, id) =>
    textWithin(reserve, (maxBytes) =>
      many<(StateRow | NestedRow) & SizedRow>(on, sql.deletedZones.state, { organization, id, maxBytes }),
    ).andThen((rows) => {
      const state = stateIn(box, rows);
      return state === undefined ? err(deletedZoneNotFound()) : ok(state);
    }),
  revive: (organization, id) => change(on, sql.deletedZones.revive, { organization, id }).mapErr(deletedZoneNotFound),
});
