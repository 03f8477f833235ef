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
  openChangeSetsPerZone,
  searchKey,
  storedDocument,
  type TooManyChangeSets,
  tooManyChangeSets,
  type UserId,
} from '@zonewright/core';
import type { Connection } from './database.ts';
import { containing } from './like.ts';
import { many, pageOf, required } from './query.ts';
import { sql } from './sql.ts';

interface SummaryRow extends Omit<ChangeSetSummary, 'createdBy' | 'application'> {
  readonly createdBy: UserId | null;
  readonly appliedRevision: number | null;
  readonly appliedBy: UserId | null;
  readonly appliedAt: Date | null;
}

interface WholeRow extends SummaryRow {
  readonly patch: string;
  readonly operations: string | null;
}

const lifetimeSeconds = changeSetLifetimeSeconds;

export const postgresChangeSets = (on: Connection): ChangeSets => ({
  add: (set) =>
    required<WholeRow, TooManyChangeSets>(
      on,
      sql.changeSets.add,
      { ...valuesOf(set), zone: set.zoneId, createdBy: set.createdBy, limit: openChangeSetsPerZone },
      tooManyChangeSets,
    ).map(wholeOf),
  byId: (zone, id) =>
    required<WholeRow, ChangeSetNotFound>(on, sql.changeSets.byId, { zone, id }, changeSetNotFound).map(wholeOf),
  list: (zone, { statuses, conflicted, createdBy, search }, sort, page) =>
    pageOf<SummaryRow>(
      on,
      sql.changeSets,
      {
        zone,
        statuses,
        conflicted,
        createdBy: createdBy ?? null,
        search: containing(searchKey(search ?? '')),
        createdOrder: orderBy(sort, 'createdAt'),
        updatedOrder: orderBy(sort, 'updatedAt'),
      },
      page,
    ).map(({ items, totalItems }) => ({ items: items.map(summaryOf), totalItems })),
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
}: Pick<NewChangeSet, 'id' | 'title' | 'description' | keyof ChangeSetContent>) => ({
  id,
  title,
  titleKey: searchKey(title),
  description,
  base,
  patch: patch.text,
  operations: operations?.text ?? null,
  lifetimeSeconds,
});

const orderBy = (sort: readonly ChangeSetSort[], wanted: ChangeSetSort['key']) =>
  sort.find(({ key }) => key === wanted)?.direction ?? null;

const summaryOf = ({ createdBy, appliedRevision, appliedBy, appliedAt, ...row }: SummaryRow): ChangeSetSummary => ({
  ...row,
  createdBy: createdBy ?? undefined,
  application:
    appliedRevision === null || appliedAt === null
      ? undefined
      : { revision: appliedRevision, by: appliedBy ?? undefined, at: appliedAt },
});

const wholeOf = ({ patch, operations, ...row }: WholeRow): ChangeSet => ({
  ...summaryOf(row),
  patch: storedDocument(patch),
  operations: operations === null ? undefined : storedDocument(operations),
});
