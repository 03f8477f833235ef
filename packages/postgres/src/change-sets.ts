import {
  type ChangeSet,
  type ChangeSetClosed,
  type ChangeSetContent,
  type ChangeSetNotFound,
  type ChangeSetSort,
  type ChangeSetSummary,
  type ChangeSets,
  changeSetClosed,
  changeSetLifetimeSeconds,
  changeSetNotFound,
  type NewChangeSet,
  type PromotionId,
  searchKey,
  storedDocument,
  type TooManyChangeSets,
  tooManyChangeSets,
  type UserId,
} from '@zonewright/core';
import type { Connection } from './database.ts';
import { substringPattern } from './like-pattern.ts';
import { many, pageOf, required } from './query.ts';
import { sql } from './sql.ts';

interface SummaryRow extends Omit<ChangeSetSummary, 'createdBy' | 'application' | 'promotion'> {
  readonly promotion: PromotionId | null;
  readonly createdBy: UserId | null;
  readonly appliedRevision: number | null;
  readonly appliedBy: UserId | null;
  readonly appliedAt: Date | null;
}

interface WholeRow extends SummaryRow {
  readonly patch: string;
  readonly operations: string | null;
  readonly disputed: string | null;
}

const lifetimeSeconds = changeSetLifetimeSeconds;

export const postgresChangeSets = (on: Connection): ChangeSets => ({
  add: (set, limit) =>
    required<WholeRow, TooManyChangeSets>(
      on,
      sql.changeSets.add,
      { ...valuesOf(set), zone: set.zoneId, createdBy: set.createdBy, limit },
      tooManyChangeSets,
    ).map(wholeOf),
  byId: (zone, id) =>
    required<WholeRow, ChangeSetNotFound>(on, sql.changeSets.byId, { zone, id }, changeSetNotFound).map(wholeOf),
  list: (zone, { statuses, conflicted, createdBy, search }, sort, page) =>
    pageOf(
      on,
      sql.changeSets,
      {
        zone,
        statuses,
        conflicted,
        createdBy: createdBy ?? null,
        search: substringPattern(searchKey(search ?? '')),
        createdOrder: orderBy(sort, 'createdAt'),
        updatedOrder: orderBy(sort, 'updatedAt'),
      },
      page,
      summaryOf,
    ),
  behind: (zone) => many<WholeRow>(on, sql.changeSets.behind, { zone }).map((rows) => rows.map(wholeOf)),
  save: (set) =>
    required<WholeRow, ChangeSetClosed>(
      on,
      sql.changeSets.save,
      { ...valuesOf(set), revision: set.revision },
      changeSetClosed,
    ).map(wholeOf),
  discard: ({ id, revision }) =>
    required(on, sql.changeSets.discard, { id, revision }, changeSetClosed).map(() => undefined),
});

const valuesOf = ({
  id,
  title,
  description,
  base,
  patch,
  operations,
  disputed,
}: Pick<NewChangeSet, 'id' | 'title' | 'description' | keyof ChangeSetContent>) => ({
  id,
  title,
  titleKey: searchKey(title),
  description,
  base,
  patch: patch.text,
  operations: operations?.text ?? null,
  disputed: disputed?.text ?? null,
  lifetimeSeconds,
});

const orderBy = (sort: readonly ChangeSetSort[], sortKey: ChangeSetSort['key']) =>
  sort.find(({ key }) => key === sortKey)?.direction ?? null;

const summaryOf = ({
  promotion,
  createdBy,
  appliedRevision,
  appliedBy,
  appliedAt,
  ...row
}: SummaryRow): ChangeSetSummary => ({
  ...row,
  createdBy: createdBy ?? undefined,
  promotion: promotion ?? undefined,
  application:
    appliedRevision === null || appliedAt === null
      ? undefined
      : { revision: appliedRevision, by: appliedBy ?? undefined, at: appliedAt },
});

const wholeOf = ({ patch, operations, disputed, ...row }: WholeRow): ChangeSet => ({
  ...summaryOf(row),
  patch: storedDocument(patch),
  operations: operations === null ? undefined : storedDocument(operations),
  disputed: disputed === null ? undefined : storedDocument(disputed),
});
