import { uncapitalized } from '../words.ts';
import type { ResourceClass } from './resource-classes.ts';

/** A list that clients reach from the entrypoint. */
export interface EntryPoint {
  readonly name: string;
  readonly path: string;
  readonly resource: ResourceClass;
}

/** The lists that can be reached without knowing anything else, in the order of their names. */
export const entryPoints = (classes: readonly ResourceClass[]): readonly EntryPoint[] =>
  classes.flatMap((resource) => {
    const { type, collection } = resource;
    const name = uncapitalized(type);
    return collection === undefined ? [] : [{ name, path: collection.path, resource }];
  });

/** Where everything begins: the address of each list, by name. */
export const plainEntrypoint = (entries: readonly EntryPoint[]): Readonly<Record<string, string>> =>
  Object.fromEntries(entries.map(({ name, path }) => [name, path]));

/** The same as linked data. */
export const linkedEntrypoint = (entries: readonly EntryPoint[]): Readonly<Record<string, string>> => ({
  '@context': '/api/contexts/Entrypoint',
  '@id': '/api',
  '@type': 'Entrypoint',
  ...plainEntrypoint(entries),
});
