import { existsSync, readFileSync } from 'node:fs';

// The paths are the same from the sources and from what is built of them.
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};
/** Has the commit that was built; sources that run without a build have none. */
const commit = new URL('../dist/commit', import.meta.url);

/** The version of the program (Semantic Versioning 2.0.0), with the commit as build metadata. */
export const version = existsSync(commit)
  ? `${manifest.version}+${readFileSync(commit, 'utf8').trim()}`
  : manifest.version;
