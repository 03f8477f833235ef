import {
  type RetainedData,
  type Retention,
  type RetentionOverrides,
  Retention as RetentionSchema,
  type Retentions,
} from '@zonewright/core';
import type { Connection } from '../connection/database.ts';
import { many, run } from '../connection/query.ts';
import { sql } from '../sql.ts';

interface Row {
  readonly what: RetainedData;
  readonly days: number | null;
}

export const postgresRetentions = (on: Connection): Retentions => ({
  of: (organization) => many<Row>(on, sql.retention.of, { organization }).map(ownOf),
  set: (organization, what, retention) =>
    retention === undefined
      ? run(on, sql.retention.unset, { organization, what })
      : run(on, sql.retention.set, { organization, what, days: daysOf(retention) }),
});

const ownOf = (rows: readonly Row[]): RetentionOverrides =>
  Object.fromEntries(rows.map(({ what, days }) => [what, RetentionSchema.parse(days ?? 'forever')]));

/** As a statement parameter: null means forever. */
export const daysOf = (retention: Retention): number | null => (retention === 'forever' ? null : retention);
