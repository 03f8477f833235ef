import { readFileSync } from 'node:fs';

// The path is the same from the sources and from what is built of them.
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/** The version of the program (Semantic Versioning 2.0.0). */
export const version = manifest.version;
