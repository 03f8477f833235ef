import { readFileSync } from 'node:fs';
import { attempt } from './private-file.ts';

// The paths are the same from the sources and from what is built of them.
const fileNamed = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

// Every package.json of a release has the same version.
const manifest = JSON.parse(fileNamed('../package.json')) as { readonly version: string };
/** The commit that was built; sources that run without a build have none. */
const commit = attempt(() => fileNamed('../dist/commit').trim()).unwrapOr('');

/** The version of the service and of its command line (Semantic Versioning 2.0.0), with the commit as build metadata. */
export const version = commit === '' ? manifest.version : `${manifest.version}+${commit}`;
