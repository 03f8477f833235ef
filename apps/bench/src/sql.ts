import { readFileSync } from 'node:fs';

/** The text of a file of `sql/`, which is found from both src and dist. */
export const sql = (name: string): string => readFileSync(new URL(`../sql/${name}.sql`, import.meta.url), 'utf8');
