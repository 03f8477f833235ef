import { okAsync, ResultAsync } from 'neverthrow';
import type { SizedRow } from './query.ts';

/**
 * Bytes of stored text that a statement returns at once: no more than its connection is worth. Longer ones are measured
 * first.
 */
export const shortTextBytes = 1_000_000;
/** More than any zone has. */
export const anyTextBytes = 2 ** 31 - 1;
/** Copies of a text that exist at once: as received, as a value, and in the response. */
const copies = 3;

/** Waits for memory; undefined: nothing is reserved. */
export type Reserve = ((bytes: number) => Promise<void>) | undefined;

/** Waits for the memory that a text of this size takes on its way. */
export const reserved = (reserve: Reserve, bytes: number): ResultAsync<void, never> =>
  reserve === undefined ? okAsync() : ResultAsync.fromSafePromise(reserve(bytes * copies));

const isLong = (bytes: number): boolean => bytes > shortTextBytes;
const bytesOf = (rows: readonly SizedRow[]): number => rows.reduce((sum, { bytes }) => sum + bytes, 0);

/** Reads texts of any size that belong together; otherwise like `rowsWithin`. */
export function textWithin<Row extends SizedRow>(
  reserve: Reserve,
  read: (maxBytes: number) => ResultAsync<readonly Row[], never>,
): ResultAsync<readonly Row[], never> {
  if (reserve === undefined) return read(anyTextBytes);
  return read(shortTextBytes).andThen((rows) =>
    isLong(bytesOf(rows)) ? reserved(reserve, bytesOf(rows)).andThen(() => read(anyTextBytes)) : okAsync(rows),
  );
}

/**
 * Reads rows whose texts are omitted if they are larger together than `maxBytes`: at once if they are short, otherwise
 * within reserved memory. Rows that are larger than `limit` stay without texts.
 */
export function rowsWithin<Row extends SizedRow>(
  reserve: Reserve,
  limit: number,
  read: (maxBytes: number) => ResultAsync<readonly Row[], never>,
): ResultAsync<readonly Row[], never> {
  if (reserve === undefined) return read(limit);
  return read(Math.min(shortTextBytes, limit)).andThen((rows) => {
    const bytes = bytesOf(rows);
    const isOmitted = rows.length > 1 && isLong(bytes) && bytes <= limit;
    return isOmitted ? reserved(reserve, bytes).andThen(() => read(limit)) : okAsync(rows);
  });
}
