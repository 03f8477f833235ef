import { readFileSync } from 'node:fs';
import type { PasswordBlocklist } from '@zonewright/core';

/** Reads the blocklist, one password per line; without a file, there is none. Throws if the file cannot be read. */
export function readPasswordBlocklist(file: string | undefined): PasswordBlocklist {
  if (file === undefined) return { entries: undefined };
  const lines = readFileSync(file, 'utf8').split(/\r?\n/);
  return { entries: new Set(lines.filter((line) => line !== '').map((line) => line.toLowerCase())) };
}
