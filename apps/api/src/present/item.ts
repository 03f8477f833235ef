import type { ResourceDescription } from '@zonewright/api-description';
import type { Page, PageRequest } from '@zonewright/core';
import type { z } from 'zod';
import { Collection, Item, type Members, type SearchParameter } from '../resources/resource.ts';

type Described<S extends z.ZodRawShape> = ResourceDescription & { readonly schema: z.ZodObject<S> };

/** Values for the members of a resource: as they are shown, where that differs from how they are stored. */
type Source<S extends z.ZodRawShape> = { readonly [Name in keyof z.output<z.ZodObject<S>>]: unknown };

/** The members of a resource in the order of its schema. Nothing else of `source` is shown, such as a secret. */
export function membersOf<S extends z.ZodRawShape>({ schema }: Described<S>, source: Source<S>): Members {
  const values: Members = source;
  return Object.fromEntries(Object.keys(schema.shape).map((name) => [name, values[name]]));
}

/** Presents a resource with the members that its schema names. */
export const itemOf = <S extends z.ZodRawShape>(
  resource: Described<S>,
  about: Omit<ConstructorParameters<typeof Item>[0], 'type' | 'members'>,
  source: Source<S>,
): Item => new Item({ ...about, type: resource.type, members: membersOf(resource, source) });

/** Presents a page by presenting each item. */
export const presentPage =
  <T>(type: string, present: (item: T) => Item, search: readonly SearchParameter[] = []) =>
  ({ items, totalItems }: Page<T>, page: PageRequest): Collection =>
    new Collection({ type, items: items.map(present), totalItems, page, search });
