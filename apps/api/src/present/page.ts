import type { Page, PageRequest } from '@zonewright/core';
import { Collection, type Item, type SearchParameter } from '../resources/resource.ts';

/** Presents a page by presenting each item. */
export const presentPage =
  <T>(type: string, present: (item: T) => Item, search: readonly SearchParameter[] = []) =>
  ({ items, totalItems }: Page<T>, page: PageRequest): Collection =>
    new Collection({ type, items: items.map(present), totalItems, page, search });
