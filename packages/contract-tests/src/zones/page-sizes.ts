import {
  type Json,
  type JsonDocument,
  jsonDocument,
  jsonOf,
  maxPageTextBytes,
  type RuleList,
  utf8Bytes,
} from '@zonewright/core';
import { expect } from 'chai';
import { addRules, rulesOf, storedOwner, storedZone } from '../arrangements/index.ts';
import { aRule, wholeList } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { errorOf, readView } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Pads the object with a member to this many bytes, which are about half as many characters. */
function padded<T>(document: JsonDocument<T>, bytes: number): JsonDocument<T> {
  const object = jsonOf(document);
  const missing = bytes - utf8Bytes(jsonDocument({ ...object, padding: '' }).text);
  const padding: Json = 'é'.repeat(Math.floor(missing / 2)) + 'x'.repeat(missing % 2);
  // Another member does not change the type.
  return jsonDocument({ ...object, padding }) as unknown as JsonDocument<T>;
}

/** Lists that can be large: created with texts of these sizes, and read page by page. */
interface LargeList {
  readonly what: string;
  readonly make: (storage: Storage, sizes: readonly number[]) => Promise<PagesOf>;
}
type PagesOf = (
  page: number,
  itemsPerPage: number,
) => { readonly read: () => Promise<number>; readonly refusal: () => Promise<unknown> };

const zones: LargeList = {
  what: 'zones',
  make: async (storage, sizes) => {
    const owner = await storedOwner(storage);
    const { settings } = (await storedZone(storage, { owner: await storedOwner(storage) })).zone;
    for (const size of sizes) await storedZone(storage, { owner, settings: padded(settings, size) });
    const filter = { organizations: [owner.organizationId], tags: [], search: undefined };
    return (page, itemsPerPage) => ({
      read: async () =>
        (await readView(storage, (each) => each.zones.list(filter, [], { page, itemsPerPage }))).items.length,
      refusal: () => errorOf(storage.unitOfWork.view((each) => each.zones.list(filter, [], { page, itemsPerPage }))),
    });
  },
};

const rules: LargeList = {
  what: 'rules',
  make: async (storage, sizes) => {
    const { zone } = await storedZone(storage);
    const list: RuleList<'accessRule'> = { zone: zone.id, kind: 'accessRule' };
    for (const size of sizes) {
      const rule = aRule('accessRule');
      await addRules(storage, list, [{ ...rule, content: padded(rule.content, size) }]);
    }
    expect(await rulesOf(storage, list)).to.have.length(sizes.length);
    return (page, itemsPerPage) => ({
      read: async () =>
        (await readView(storage, (each) => each.rules.list(list, [], { page, itemsPerPage }))).items.length,
      refusal: () => errorOf(storage.unitOfWork.view((each) => each.rules.list(list, [], { page, itemsPerPage }))),
    });
  },
};

/** Pages of lists are bounded by bytes. Every adapter must pass this unchanged. */
export const pageSizeContract = contract('Page size contract', (storage) => {
  const quarter = maxPageTextBytes / 4;

  for (const { what, make } of [zones, rules]) {
    it(`returns a page of ${what} of exactly the maximum size, and refuses one byte more`, async () => {
      const pages = await make(storage(), [quarter, quarter, quarter, quarter, quarter + 1]);
      const { itemsPerPage } = wholeList;
      expect(await pages(1, 4).read()).to.equal(4);
      expect(await pages(2, 4).read()).to.equal(1);
      expect(await pages(1, itemsPerPage).refusal()).to.deep.equal({ type: 'PageTooLarge', fits: 4 });
    });

    it(`counts from the first item of the page of ${what}`, async () => {
      const pages = await make(storage(), [10_000, 10_000, 10_000, maxPageTextBytes, 10_000, 10_000]);
      expect(await pages(1, 3).read()).to.equal(3);
      expect(await pages(1, 4).refusal()).to.deep.equal({ type: 'PageTooLarge', fits: 3 });
      expect(await pages(2, 2).refusal()).to.deep.equal({ type: 'PageTooLarge', fits: 1 });
    });

    it(`returns a single item of ${what}, however large`, async () => {
      const pages = await make(storage(), [maxPageTextBytes + 1000, 10_000]);
      expect(await pages(1, 1).read()).to.equal(1);
      expect(await pages(1, 2).refusal()).to.deep.equal({ type: 'PageTooLarge', fits: 1 });
    });
  }

  it('leaves a page of rules that is longer than asked for to others', async () => {
    const { zone } = await storedZone(storage());
    const list = { zone: zone.id, kind: 'accessRule' } as const;
    for (const size of [1000, 1000, 1001]) {
      const rule = aRule('accessRule');
      await addRules(storage(), list, [{ ...rule, content: padded(rule.content, size) }]);
    }
    const within = (longest: number, page: number, itemsPerPage: number) =>
      storage()
        .unitOfWork.view(({ rules: stored }) => stored.list(list, [], { page, itemsPerPage }, longest))
        .match(
          ({ items }) => items.length,
          ({ type }) => type,
        );
    expect(await within(2000, 1, 2)).to.equal(2);
    expect(await within(2000, 1, 3)).to.equal('PageTooLong');
    expect(await within(1, 2, 2)).to.equal(1);
    expect(await within(2 * maxPageTextBytes, 1, 3)).to.equal(3);
  });
});
