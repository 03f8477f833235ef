import {
  type ChangeSet,
  type ChangeSetContent,
  type ChangeSetNotFound,
  type ChangeSetSort,
  type ChangeSetSummary,
  type ChangeSets,
  changeSetClosed,
  changeSetLifetimeSeconds,
  changeSetNotFound,
  changeSetsTooLarge,
  type NewChangeSet,
  type OpenLimits,
  type PromotionId,
  type SavedChangeSet,
  searchKey,
  storedDocument,
  tooManyChangeSets,
  type UserId,
} from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { substringPattern } from '../connection/like-pattern.ts';
import { type Reserve, textWithin } from '../connection/long-texts.ts';
import { change, many, one, pageOf, required, run } from '../connection/query.ts';
import { sql } from '../sql.ts';

interface SummaryRow extends Omit<ChangeSetSummary, 'createdBy' | 'application' | 'promotion' | 'merge'> {
  readonly promotion: PromotionId | null;
  readonly createdBy: UserId | null;
  readonly appliedRevision: number | null;
  readonly appliedBy: UserId | null;
  readonly appliedAt: Date | null;
  readonly zoneRevision: number | null;
  readonly isConflicted: boolean | null;
  readonly characters: number | null;
}

interface WholeRow extends SummaryRow {
  readonly patch: string;
  readonly operations: string | null;
  readonly disputed: string | null;
}

/** What was written; without an id if there was no room for it. */
type WrittenRow = { readonly roomForSet?: boolean; readonly roomForBytes: boolean } & (
  | SummaryRow
  | { readonly id: null }
);

const lifetimeSeconds = changeSetLifetimeSeconds;

/** Change sets over one connection. `reserve` waits for the memory that long drafts take. */
export const postgresChangeSets = (on: Connection, reserve?: Reserve): ChangeSets => ({
  add: (set, limits) => add(on, set, limits),
  byId: (zone, id) =>
    textWithin(reserve, (maxBytes) => many<WholeRow>(on, sql.changeSets.byId, { zone, id, maxBytes })).andThen(
      ([row]): Result<ChangeSet, ChangeSetNotFound> =>
        row === undefined ? err(changeSetNotFound()) : ok(wholeOf(row)),
    ),
  byIds: (zone, ids) =>
    textWithin(reserve, (maxBytes) => many<WholeRow>(on, sql.changeSets.byIds, { zone, ids, maxBytes })).map((rows) =>
      rows.map(wholeOf),
    ),
  list: (zone, { statuses, createdBy, search }, sort, page) =>
    pageOf(
      on,
      sql.changeSets,
      {
        zone,
        statuses,
        createdBy: createdBy ?? null,
        search: substringPattern(searchKey(search ?? '')),
        createdOrder: orderBy(sort, 'createdAt'),
        updatedOrder: orderBy(sort, 'updatedAt'),
      },
      page,
      summaryOf,
    ),
  save: (set, maxBytes) => save(on, set, maxBytes),
  discard: ({ id, revision }) => change(on, sql.changeSets.discard, { id, revision }).mapErr(changeSetClosed),
  noteMerges: (merges) =>
    run(on, sql.changeSets.noteMerges, {
      ids: merges.map(({ id }) => id),
      revisions: merges.map(({ revision }) => revision),
      zoneRevisions: merges.map(({ merge }) => merge.zoneRevision),
      conflicted: merges.map(({ merge }) => merge.isConflicted),
      characters: merges.map(({ merge }) => merge.characters),
    }),
});

function add(
  on: Connection,
  set: NewChangeSet,
  { sets: maxSets, bytes: maxBytes }: OpenLimits,
): ReturnType<ChangeSets['add']> {
  const values = { ...valuesOf(set), zone: set.zoneId, createdBy: set.createdBy, maxSets, maxBytes };
  return one<WrittenRow>(on, sql.changeSets.add, values).andThen(({ roomForSet, roomForBytes: _, ...row }) => {
    if (row.id !== null) return ok({ ...contentOf(set), ...summaryOf(row) });
    return err(roomForSet === false ? tooManyChangeSets() : changeSetsTooLarge());
  });
}

function save(on: Connection, set: SavedChangeSet, maxBytes: number): ReturnType<ChangeSets['save']> {
  const values = { ...valuesOf(set), revision: set.revision, maxBytes };
  return required<WrittenRow>(on, sql.changeSets.save, values)
    .mapErr(changeSetClosed)
    .andThen(({ roomForBytes, ...row }) => {
      if (row.id !== null) return ok({ ...contentOf(set), ...summaryOf(row) });
      return err(roomForBytes ? changeSetClosed() : changeSetsTooLarge());
    });
}

const contentOf = ({ base, patch, operations, disputed }: ChangeSetContent): ChangeSetContent => ({
  base,
  patch,
  operations,
  disputed,
});

const valuesOf = ({ id, title, description, merge, ...set }: Omit<NewChangeSet, 'zoneId' | 'createdBy'>) => {
  const [patch, operations, disputed] = [set.patch.text, set.operations?.text ?? null, set.disputed?.text ?? null];
  return {
    id,
    title,
    titleKey: searchKey(title),
    description,
    base: set.base,
    patch,
    operations,
    disputed,
    bytes: [patch, operations, disputed].reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0),
    ...merge,
    lifetimeSeconds,
  };
};

const orderBy = (sort: readonly ChangeSetSort[], sortKey: ChangeSetSort['key']) =>
  sort.find(({ key }) => key === sortKey)?.direction ?? null;

const summaryOf = ({
  promotion,
  createdBy,
  appliedRevision,
  appliedBy,
  appliedAt,
  zoneRevision,
  isConflicted,
  characters,
  ...row
}: SummaryRow): ChangeSetSummary => ({
  ...row,
  merge:
    zoneRevision === null || isConflicted === null || characters === null
      ? undefined
      : { zoneRevision, isConflicted, characters },
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
