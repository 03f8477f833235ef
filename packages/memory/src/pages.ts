import {
  checkPageSize,
  type JsonDocument,
  offsetOf,
  type Page,
  type PageRequest,
  type PageTooLarge,
  utf8Bytes,
} from '@zonewright/core';
import type { Result } from 'neverthrow';

/** The requested page of a sorted list. */
export const pageOf = <T>(items: readonly T[], page: PageRequest): Page<T> => {
  const offset = offsetOf(page);
  return { items: items.slice(offset, offset + page.itemsPerPage), totalItems: items.length };
};

/** The same, but fails if the texts of the items are too large in total. */
export const boundedPageOf = <T>(
  items: readonly T[],
  page: PageRequest,
  documentOf: (item: T) => JsonDocument<unknown>,
): Result<Page<T>, PageTooLarge> => {
  const requested = pageOf(items, page);
  return checkPageSize(requested.items.map((item) => utf8Bytes(documentOf(item).text))).map(() => requested);
};

type SortKey = readonly [string | Date, string | number];

/** Sorts by the first part of a key, then by the second. */
export const sortedBy = <T>(items: readonly T[], keyOf: (item: T) => SortKey): T[] =>
  items.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    return compared(left[0], right[0]) || compared(left[1], right[1]);
  });

const compared = (left: SortKey[number], right: SortKey[number]): number => (left < right ? -1 : Number(left > right));

/** Sorts by code point like a database; plain strings sort by UTF-16 code unit. */
export const codePointKey = (text: string): string =>
  Array.from(text, (character) => (character.codePointAt(0) ?? 0).toString(16).padStart(6, '0')).join('');
