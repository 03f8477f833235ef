import { existsSync, readFileSync } from 'node:fs';

/** Below the package root in a folder of its own, and so found from both src and dist. */
const folder = new URL('../../sql/', import.meta.url);

/** Reads a file of `sql/`, written by hand or rendered from a template. */
export function sqlFile(path: string): string {
  const rendered = new URL(`rendered/${path}`, folder);
  return readFileSync(existsSync(rendered) ? rendered : new URL(path, folder), 'utf8');
}
