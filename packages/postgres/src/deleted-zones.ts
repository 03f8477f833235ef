import {
  type DeletedZone,
  type DeletedZoneNotFound,
  type DeletedZones,
  deletedZoneNotFound,
  type RuleIdTaken,
  ruleIdTaken,
  searchKey,
  type UserId,
} from '@zonewright/core';
import { err, ok, type Result, ResultAsync } from 'neverthrow';
import type { Connection } from './database.ts';
import { brokenUniqueConstraint } from './failures.ts';
import { substringPattern } from './like-pattern.ts';
import { pageOf, required } from './query.ts';
import { sql } from './sql.ts';
import { timed } from './timed.ts';

type Row = Omit<DeletedZone, 'deletedBy'> & { readonly deletedBy: UserId | null };

export const postgresDeletedZones = (on: Connection): DeletedZones => ({
  list: ({ organization, zones, search = '' }, page) => {
    const values = { organization, zones: zones ?? null, pattern: substringPattern(searchKey(search)) };
    return pageOf(on, sql.deletedZones, values, page, zoneOf);
  },
  byId: (organization, id) =>
    required<Row, DeletedZoneNotFound>(on, sql.deletedZones.byId, { organization, id }, deletedZoneNotFound).map(
      zoneOf,
    ),
  revive: (organization, id) =>
    ResultAsync.fromPromise(
      timed(on, () => on.oneOrNone<{ readonly id: string }>(sql.deletedZones.revive.prepared({ organization, id }))),
      (failure): RuleIdTaken => {
        if (brokenUniqueConstraint(failure) === 'rules_pkey') return ruleIdTaken();
        throw failure;
      },
    ).andThen((row): Result<void, DeletedZoneNotFound> => (row === null ? err(deletedZoneNotFound()) : ok())),
});

const zoneOf = ({ deletedBy, ...row }: Row): DeletedZone => ({ ...row, deletedBy: deletedBy ?? undefined });
