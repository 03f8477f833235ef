import { expect } from 'chai';
import * as fc from 'fast-check';
import { offsetOf } from '../../../src/kernel/shared/page.ts';

describe('offsetOf', () => {
  const cases: readonly (readonly [page: number, itemsPerPage: number, offset: number])[] = [
    [1, 30, 0],
    [2, 30, 30],
    [3, 100, 200],
    [1, 1, 0],
    [5, 1, 4],
    [1, 0, 0],
    [7, 0, 0],
  ];
  for (const [page, itemsPerPage, offset] of cases) {
    it(`skips ${offset} items before page ${page} of ${itemsPerPage}`, () => {
      expect(offsetOf({ page, itemsPerPage })).to.equal(offset);
    });
  }

  it('puts every item of a list on exactly one page', () => {
    fc.assert(
      fc.property(fc.nat({ max: 200 }), fc.integer({ min: 1, max: 100 }), (total, itemsPerPage) => {
        const list = Array.from({ length: total }, (_, index) => index);
        const pages = Array.from({ length: Math.ceil(total / itemsPerPage) }, (_, index) => {
          const offset = offsetOf({ page: index + 1, itemsPerPage });
          return list.slice(offset, offset + itemsPerPage);
        });
        expect(pages.flat()).to.deep.equal(list);
      }),
    );
  });
});
