import {
  type DeletedZone,
  type DeletedZoneNotFound,
  type DeletedZones,
  deletedZoneNotFound,
  type RuleIdTaken,
  ruleIdTaken,
  type SecretBox,
  searchKey,
  type UserId,
} from '@zonewright/core';
import { err, ok, type Result, ResultAsync } from 'neverthrow';
import type { Connection } from './database.ts';
import { brokenConstraint } from './failures.ts';
import { substringPattern } from './like-pattern.ts';
import { type Reserve, textWithin } from './long-texts.ts';
import { many, pageOf, required, type SizedRow } from './query.ts';
import { sql } from './sql.ts';
import { timed } from './timed.ts';
import { type NestedRow, type StateRow, stateIn } from './zone-states.ts';

type Row = Omit<DeletedZone, 'deletedBy'> & { readonly deletedBy: UserId | null };

/**
 * Deleted zones over one connection. `box` opens no ban tokens: deleted zones have none. `reserve` waits for the memory
 * that long texts take.
 */
export const postgresDeletedZones = (on: Connection, box: SecretBox, reserve?: Reserve): DeletedZones => ({
  list: ({ organization, zones, search = '' }, page) => {
    const values = { organization, zones: zones ?? null, pattern: substringPattern(searchKey(search)) };
    return pageOf(on, sql.deletedZones, values, page, zoneOf);
  },
  byId: (organization, id) =>
    required<Row>(on, sql.deletedZones.byId, { organization, id }).mapErr(deletedZoneNotFound).map(zoneOf),
  state: (organization, id) =>
    textWithin(reserve, (maxBytes) =>
      many<(StateRow | NestedRow) & SizedRow>(on, sql.deletedZones.state, { organization, id, maxBytes }),
    ).andThen((rows) => {
      const state = stateIn(box, rows);
      return state === undefined ? err(deletedZoneNotFound()) : ok(state);
    }),
  revive: (organization, id) =>
    ResultAsync.fromPromise(
      timed(on, () => on.oneOrNone<{ readonly id: string }>(sql.deletedZones.revive.prepared({ organization, id }))),
      (failure): RuleIdTaken => {
        if (brokenConstraint(failure) === 'rules_pkey') return ruleIdTaken();
        throw failure;
      },
    ).andThen((row): Result<void, DeletedZoneNotFound> => (row === null ? err(deletedZoneNotFound()) : ok())),
});

const zoneOf = ({ deletedBy, ...row }: Row): DeletedZone => ({ ...row, deletedBy: deletedBy ?? undefined });
