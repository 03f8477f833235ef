import { type ZoneId, type ZoneNotFound, type ZoneWithContents, zoneNotFound } from '@zonewright/core';
import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import type { Connection } from './database.ts';
import { many } from './query.ts';
import { type RuleRow, rulesByKind } from './rules.ts';
import { sql } from './sql.ts';
import { type ZoneRow, zoneOf } from './zone-row.ts';

/** The row of the zone itself. */
type OwnRow = Omit<ZoneRow, 'settings'> & {
  readonly kind: null;
  readonly order: null;
  readonly content: string;
  readonly basicAuthUserCount: number;
  readonly state: string;
};
/** The row of a rule; members that only the zone has are null. */
type NestedRow = Omit<RuleRow, 'zoneId'> & { readonly [member: string]: unknown };

/** What is inside a zone in one state, and the bytes of its texts. */
export interface ZoneContents {
  readonly contents: ZoneWithContents;
  readonly state: string;
  readonly bytes: number;
}

/** A zone with everything inside it, as it was at one moment. */
export const zoneContents = (on: Connection, id: ZoneId): ResultAsync<ZoneContents, ZoneNotFound> =>
  many<OwnRow | NestedRow>(on, sql.zones.withContents, { id }).andThen((rows): Result<ZoneContents, ZoneNotFound> => {
    const own = rows.find(isOwn);
    if (own === undefined) return err(zoneNotFound());
    const rules = rulesByKind(rows.flatMap((row) => (isOwn(row) ? [] : [ruleRowOf(row, id)])));
    const { kind: _, order: __, content: settings, basicAuthUserCount, state, ...zone } = own;
    const bytes = rows.reduce((sum, { content }) => sum + content.length, 0);
    return ok({ contents: { zone: zoneOf({ ...zone, settings }), rules, basicAuthUserCount }, state, bytes });
  });

const isOwn = (row: OwnRow | NestedRow): row is OwnRow => row.kind === null;

const ruleRowOf = (
  { kind, id, order, content, createdAt, updatedAt, revision }: NestedRow,
  zoneId: ZoneId,
): RuleRow => ({ id, zoneId, kind, order, content, createdAt, updatedAt, revision });
