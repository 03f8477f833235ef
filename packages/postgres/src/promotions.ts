import {
  type Promotion,
  type PromotionNotFound,
  type PromotionSummary,
  type Promotions,
  promotionNotFound,
  storedDocument,
  type UserId,
} from '@zonewright/core';
import type { Connection } from './database.ts';
import { maybe, one, pageOf, required } from './query.ts';
import { sql } from './sql.ts';

interface SummaryRow extends Omit<PromotionSummary, 'base' | 'createdBy'> {
  readonly baseFromRevision: number | null;
  readonly baseToRevision: number | null;
  readonly createdBy: UserId | null;
}

interface WholeRow extends SummaryRow {
  readonly report: string;
}

export const postgresPromotions = (on: Connection): Promotions => ({
  add: ({ zoneId: zone, base, report, ...promotion }) =>
    one<WholeRow>(on, sql.promotions.add, {
      ...promotion,
      zone,
      baseFromRevision: base?.fromRevision ?? null,
      baseToRevision: base?.toRevision ?? null,
      report: report.text,
    }).map(wholeOf),
  byId: (zone, id) =>
    required<WholeRow, PromotionNotFound>(on, sql.promotions.byId, { zone, id }, promotionNotFound).map(wholeOf),
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
