import { readFileSync } from 'node:fs';

/** Reads a file of `sql/`, which is below the package root in a folder of its own and so found from both src and dist. */
export const sqlFile = (path: string): string => readFileSync(new URL(`../../sql/${path}`, import.meta.url), 'utf8');
