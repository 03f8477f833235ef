import { readFileSync } from 'node:fs';

/** The text of a statement of the adapters. */
export const adapterSql = (path: string): string =>
  readFileSync(new URL(`../../../postgres/sql/${path}`, import.meta.url), 'utf8');
