import type { Page, PageRequest } from '@zonewright/core';
import { expect } from 'chai';
import { wholeList } from './builders/index.ts';

/**
 * The items of a list of three or four. Expects the same ones on pages of two, none on other pages, and always the total.
 */
export async function readInPages<Item>(list: (page: PageRequest) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const { items, totalItems } = await list(wholeList);
  const itemsOn = async (page: number, itemsPerPage: number) => {
    const found = await list({ page, itemsPerPage });
    expect(found.totalItems).to.equal(totalItems);
    return found.items;
  };
  expect([...(await itemsOn(1, 2)), ...(await itemsOn(2, 2))]).to.deep.equal(items);
  expect(await itemsOn(3, 2)).to.deep.equal([]);
  expect(await itemsOn(1, 0)).to.deep.equal([]);
  expect(totalItems).to.equal(items.length);
  return items;
}
