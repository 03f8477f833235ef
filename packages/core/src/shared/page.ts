import { err, ok, type Result } from 'neverthrow';

/** Which part of a list is asked for. */
export interface PageRequest {
  /** 1-based. */
  readonly page: number;
  /** 0..100; 0 asks for the total only (interface, "Limits"). */
  readonly itemsPerPage: number;
}

/** One part of a list, and how many items the whole list has. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly totalItems: number;
}

/** Max bytes (UTF-8) of stored text in one page of a list; a page of one item is always delivered. */
export const maxPageTextBytes = 8_000_000;

/** The page holds more stored text than `maxPageTextBytes`; `fits`: how many of its items fit, from its first. */
export const pageTooLarge = (fits: number) => ({ type: 'PageTooLarge', fits }) as const;
export type PageTooLarge = ReturnType<typeof pageTooLarge>;

/** Checks a page by the bytes of stored text of each of its items. */
export function checkPageSize(sizes: readonly number[]): Result<void, PageTooLarge> {
  let bytes = 0;
  const firstBeyond = sizes.findIndex((size) => {
    bytes += size;
    return bytes > maxPageTextBytes;
  });
  return firstBeyond < 0 || sizes.length === 1 ? ok() : err(pageTooLarge(Math.max(1, firstBeyond)));
}

/** Number of items before the asked page. */
export const offsetOf = ({ page, itemsPerPage }: PageRequest): number => (page - 1) * itemsPerPage;
