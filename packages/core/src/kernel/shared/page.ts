import { err, ok, type Result } from 'neverthrow';

/** The requested page of a list. */
export interface PageRequest {
  /** 1-based. */
  readonly page: number;
  /** 0 to 100; 0 requests only the total (interface, "Limits"). */
  readonly itemsPerPage: number;
}

/** A page and the number of items in the whole list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly totalItems: number;
}

/** Maximum bytes (UTF-8) of stored text on a page; a single item is always returned. */
export const maxPageTextBytes = 8_000_000;

/** The page exceeds `maxPageTextBytes`; `fits`: how many of its first items would fit. */
export const pageTooLarge = (fits: number) => ({ type: 'PageTooLarge', fits }) as const;
export type PageTooLarge = ReturnType<typeof pageTooLarge>;

/** Maximum bytes of stored text on a page that a thread with other things to do reads: a few milliseconds. */
export const shortPageTextBytes = 128 * 1024;

/** The page is longer than this thread is to read; another one can. */
export const pageTooLong = (retryAfterSeconds: number) => ({ type: 'PageTooLong', retryAfterSeconds }) as const;
export type PageTooLong = ReturnType<typeof pageTooLong>;

/** Checks the size of a page, given the stored bytes of each item. */
export function checkPageSize(sizes: readonly number[]): Result<void, PageTooLarge> {
  let bytes = 0;
  const firstBeyond = sizes.findIndex((size) => {
    bytes += size;
    return bytes > maxPageTextBytes;
  });
  return firstBeyond < 0 || sizes.length === 1 ? ok() : err(pageTooLarge(Math.max(1, firstBeyond)));
}

/** The number of items before the page. */
export const offsetOf = ({ page, itemsPerPage }: PageRequest): number => (page - 1) * itemsPerPage;

/** A page of a list that is known as a whole. */
export const pageOf = <T>(all: readonly T[], page: PageRequest): Page<T> => ({
  items: all.slice(offsetOf(page), offsetOf(page) + page.itemsPerPage),
  totalItems: all.length,
});
