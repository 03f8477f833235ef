import {
  maxPageTextBytes,
  offsetOf,
  type PageTooLong,
  pageTooLong,
  type Rule,
  type RuleContents,
  type RuleKind,
  type Rules,
  ruleNotFound,
  searchKey,
  storedDocument,
} from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { substringPattern } from '../connection/like-pattern.ts';
import { type Reserve, rowsWithin } from '../connection/long-texts.ts';
import { isEmpty, many, required, type SizedRow, withinPageSize } from '../connection/query.ts';
import { sql } from '../sql.ts';

/** A rule as stored; its content is JSON text. */
type RuleRow = Omit<Rule, 'content'> & { readonly content: string };
/** Every row includes the list's total and revision. */
type ListedRow = RuleRow & SizedRow & { readonly totalItems: number; readonly listRevision: number };

/** Rules over one connection. `reserve` waits for the memory that long texts take. */
export const postgresRules = (on: Connection, reserve?: Reserve): Rules => ({
  list: (list, names, page, longest = maxPageTextBytes) => {
    const filter = { ...list, patterns: names.map((name) => substringPattern(searchKey(name))) };
    const window = { limit: page.itemsPerPage, offset: offsetOf(page) };
    const reading = (maxBytes: number) => many<ListedRow>(on, sql.rules.list, { ...filter, ...window, maxBytes });
    return rowsWithin(reserve, longest, reading).andThen(([first, ...others]) => {
      const whole = { totalItems: first?.totalItems ?? 0, revision: first?.listRevision ?? 0 };
      return withinPageSize(first === undefined || isEmpty(first) ? [] : [first, ...others])
        .andThen((rows) => shorterThan(longest, rows))
        .map((rows) => ({ items: rows.map((row) => listedRule(row, list.kind)), ...whole }));
    });
  },
  byId: (list, id) =>
    required<RuleRow>(on, sql.rules.byId, { ...list, id })
      .mapErr(ruleNotFound)
      .map((row) => ruleOf(row, list.kind)),
});

/** The rows, unless their texts are omitted because they are too long together. */
const shorterThan = (longest: number, rows: readonly ListedRow[]): Result<readonly ListedRow[], PageTooLong> =>
  rows.length > 1 && rows.reduce((sum, { bytes }) => sum + bytes, 0) > longest ? err(pageTooLong(1)) : ok(rows);

const ruleOf = <K extends RuleKind>({ content, ...row }: RuleRow, kind: K): Rule<K> => ({
  ...row,
  kind,
  content: storedDocument<RuleContents[K]>(content),
});

const listedRule = <K extends RuleKind>(
  { bytes: _, totalItems: __, listRevision: ___, ...row }: ListedRow,
  kind: K,
): Rule<K> => ruleOf(row, kind);
