import type { Page, PageRequest } from '@zonewright/core';
import { Collection, type Item, type SearchParameter } from '../resources/resource.ts';

/** Presents a page of a list by presenting each of its items. */
export const presentPage =
  <T>(type: string, present: (item: T) => Item, search: readonly SearchParameter[] = []) =>
  ({ items, totalItems }: Page<T>, page: PageRequest): Collection =>
    new Collection({ type, items: items.map(present), totalItems, page, search });
