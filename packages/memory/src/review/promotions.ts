import { type Promotion, type PromotionSummary, type Promotions, promotionNotFound } from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { pageOf, sortedBy } from '../pages.ts';
import type { PromotionRow } from '../tables/change-set-rows.ts';
import type { Unit } from '../tables/tables.ts';
import { isOpenIn } from './change-sets.ts';

export const memoryPromotions = (unit: Unit): Promotions => {
  const { promotions, changeSets } = unit.tables;
  const newestFirst = (wanted: (row: PromotionRow) => boolean) =>
    sortedBy([...promotions.values()].filter(wanted), ({ createdAt, id }) => [createdAt, id]).toReversed();
  return {
    add: (promotion) => {
      const row = { ...promotion, createdAt: unit.now() };
      promotions.set(row.id, row);
      return okAsync(promotionOf(row));
    },
    byId: (zone, id) => {
      const promotion = promotions.get(id);
      return promotion?.zoneId === zone ? okAsync(promotionOf(promotion)) : errAsync(promotionNotFound());
    },
    list: (zone, page) => okAsync(pageOf(newestFirst(({ zoneId }) => zoneId === zone).map(summaryOf), page)),
    lastApplied: (zone, from) => {
      const applied = newestFirst((row) => row.zoneId === zone && row.from === from).flatMap((row) => {
        const at = changeSets.get(row.changeSet)?.application?.at;
        return at === undefined ? [] : [{ row, at }];
      });
      const last = sortedBy(applied, ({ row, at }) => [at, row.id]).at(-1);
      return okAsync(last && summaryOf(last.row));
    },
    openLike: (request) => {
      const [found] = newestFirst((row) => isSame(row, request) && isOpenIn(unit, row.changeSet));
      return okAsync(found && promotionOf(found));
    },
  };
};

const isSame = (one: PromotionRow, other: Parameters<Promotions['openLike']>[0]): boolean =>
  one.zoneId === other.zoneId &&
  one.from === other.from &&
  one.fromRevision === other.fromRevision &&
  one.toRevision === other.toRevision &&
  one.request === other.request;

const promotionOf = ({ request: _, ...promotion }: PromotionRow): Promotion => promotion;

const summaryOf = ({ request: _, report: __, ...summary }: PromotionRow): PromotionSummary => summary;
