import { expect } from 'chai';
import * as fc from 'fast-check';
import { containsText } from '../../src/conditions/text-search.ts';

/** Texts of two letters, in which beginnings of others occur again and again. */
const texts = (minLength: number, maxLength: number) =>
  fc.oneof(
    fc.array(fc.constantFrom('a', 'b'), { minLength, maxLength }).map((letters) => letters.join('')),
    fc
      .tuple(
        fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: minLength, max: maxLength }),
      )
      .map(([letters, length]) => letters.join('').repeat(maxLength).slice(0, length)),
  );

describe('containsText', () => {
  it('finds texts of any length as `includes` does', () => {
    fc.assert(
      fc.property(texts(0, 3000), texts(0, 600), (text, wanted) => {
        expect(containsText(text, wanted)).to.equal(text.includes(wanted));
      }),
    );
  });

  it('finds parts of a text, and not those with one other byte', () => {
    const part = texts(600, 3000).chain((text) =>
      fc.tuple(
        fc.constant(text),
        fc.integer({ min: 0, max: 200 }),
        fc.integer({ min: 251, max: 400 }),
        fc.integer({ min: 0, max: 250 }),
      ),
    );
    fc.assert(
      fc.property(part, ([text, from, length, place]) => {
        const wanted = text.slice(from, from + length);
        expect(containsText(text, wanted)).to.equal(true);
        expect(containsText(text, `${wanted.slice(0, place)}\xff${wanted.slice(place + 1)}`)).to.equal(false);
      }),
    );
  });
});
