import { z } from 'zod';

const RejectedZone = z.object({ id: z.string(), digest: z.string(), code: z.string(), message: z.string() });
/** A zone whose document is not used. */
export type RejectedZone = Readonly<z.output<typeof RejectedZone>>;

const StoredZone = z.object({
  id: z.string(),
  digest: z.string(),
  hostnames: z.array(z.string()),
  /** Facts without which it must not be served. */
  needs: z.array(z.enum(['country', 'asn'])),
});
/** A zone of this edge: which document it has, and what is needed to route requests to it. */
export type StoredZone = Readonly<z.output<typeof StoredZone>>;

const StoredTable = z.object({
  /** Of the program that checked the documents. */
  program: z.string(),
  /** In the feed; absent before the first whole state. */
  position: z.string().optional(),
  /** In the order in which they were applied. */
  zones: z.array(StoredZone),
  rejected: z.array(RejectedZone),
});
/** What an edge knows of its zones, besides their documents. */
export type StoredTable = Readonly<z.output<typeof StoredTable>>;

/** Reads a table; undefined if it has another form. */
export function parseTable(text: string): StoredTable | undefined {
  try {
    return StoredTable.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
