import {
  type Promotion,
  type PromotionNotFound,
  type PromotionSummary,
  type Promotions,
  promotionNotFound,
  storedDocument,
  type UserId,
} from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { type Reserve, textWithin } from '../connection/long-texts.ts';
import { many, maybe, one, pageOf, type SizedRow } from '../connection/query.ts';
import { sql } from '../sql.ts';

interface SummaryRow extends Omit<PromotionSummary, 'base' | 'createdBy'> {
  readonly baseFromRevision: number | null;
  readonly baseToRevision: number | null;
  readonly createdBy: UserId | null;
}

interface WholeRow extends SummaryRow {
  readonly report: string;
}

/** Promotions over one connection. `reserve` waits for the memory that long reports take. */
export const postgresPromotions = (on: Connection, reserve?: Reserve): Promotions => ({
  add: ({ zoneId: zone, base, report, ...promotion }) =>
    one<WholeRow>(on, sql.promotions.add, {
      ...promotion,
      zone,
      baseFromRevision: base?.fromRevision ?? null,
      baseToRevision: base?.toRevision ?? null,
      report: report.text,
    }).map(wholeOf),
  byId: (zone, id) =>
    textWithin(reserve, (maxBytes) =>
      many<WholeRow & SizedRow>(on, sql.promotions.byId, { zone, id, maxBytes }),
    ).andThen(([row]): Result<Promotion, PromotionNotFound> => {
      if (row === undefined) return err(promotionNotFound());
      const { bytes: _, ...whole } = row;
      return ok(wholeOf(whole));
    }),
  list: (zone, page) => pageOf(on, sql.promotions, { zone }, page, summaryOf),
  lastApplied: (zone, from) =>
    maybe<SummaryRow>(on, sql.promotions.lastApplied, { zone, from }).map((row) => row && summaryOf(row)),
  openLike: ({ zoneId: zone, ...request }) =>
    maybe<WholeRow>(on, sql.promotions.openLike, { zone, ...request }).map((row) => row && wholeOf(row)),
});

const summaryOf = ({ baseFromRevision, baseToRevision, createdBy, ...row }: SummaryRow): PromotionSummary => ({
  ...row,
  base:
    baseFromRevision === null || baseToRevision === null
      ? undefined
      : { fromRevision: baseFromRevision, toRevision: baseToRevision },
  createdBy: createdBy ?? undefined,
});

const wholeOf = ({ report, ...row }: WholeRow): Promotion => ({ ...summaryOf(row), report: storedDocument(report) });
