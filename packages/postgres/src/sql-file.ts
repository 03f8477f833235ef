import { readFileSync } from 'node:fs';

/** The text of a file of `sql/`, one level below the package root, so that it is found from src and from dist. */
export const sqlFile = (path: string): string => readFileSync(new URL(`../sql/${path}`, import.meta.url), 'utf8');
