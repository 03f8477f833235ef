import { uncapitalized } from '../words.ts';
import type { ResourceClass } from './resource-classes.ts';

/** A collection linked from the entrypoint. */
export interface EntryPoint {
  readonly name: string;
  readonly path: string;
  readonly resource: ResourceClass;
}

/** The collections without path parameters, sorted by name. */
export const entryPoints = (classes: readonly ResourceClass[]): readonly EntryPoint[] =>
  classes.flatMap((resource) => {
    const { type, collection } = resource;
    const name = uncapitalized(type);
    return collection === undefined ? [] : [{ name, path: collection.path, resource }];
  });

/** The root resource: the address of each collection by name. */
export const plainEntrypoint = (entries: readonly EntryPoint[]): Readonly<Record<string, string>> =>
  Object.fromEntries(entries.map(({ name, path }) => [name, path]));

/** The same as JSON-LD. */
export const linkedEntrypoint = (entries: readonly EntryPoint[]): Readonly<Record<string, string>> => ({
  '@context': '/api/contexts/Entrypoint',
  '@id': '/api',
  '@type': 'Entrypoint',
  ...plainEntrypoint(entries),
});
