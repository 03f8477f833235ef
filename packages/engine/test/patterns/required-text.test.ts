import { expect } from 'chai';
import * as fc from 'fast-check';
import { compilePattern } from '../../src/patterns/compile-pattern.ts';
import { parsePattern } from '../../src/patterns/pattern.ts';
import { requiredText } from '../../src/patterns/required-text.ts';
import { okOf } from '../outcomes.ts';
import { patterns, subjects } from './pattern-arbitraries.ts';
import { resourcesOf } from './resources.ts';

describe('neededText', () => {
  const cases: readonly (readonly [pattern: string, plain: string, folded: string])[] = [
    ['^/blog/[0-9]+-b', '/blog/', '/'],
    ['(?:bot|crawler)17', '17', '17'],
    ['a(b)c', 'abc', ''],
    ['ab?cde', 'cde', ''],
    ['(?:abc)+d', 'abc', ''],
    ['x(?:abcd)*y', 'x', ''],
    ['a\\b-\\.', 'a-.', '-.'],
    ['a|b', '', ''],
    ['[^a]', '', ''],
  ];
  for (const [pattern, plain, folded] of cases) {
    it(`of ${pattern} is "${plain}", and "${folded}" if case is ignored`, () => {
      const { tree } = okOf(parsePattern(pattern));
      expect([requiredText(tree, false), requiredText(tree, true)]).to.deep.equal([plain, folded]);
    });
  }

  it('occurs in everything that the pattern matches', () => {
    fc.assert(
      fc.property(patterns(), subjects(), fc.boolean(), (source, subject, ignoreCase) => {
        const parsed = parsePattern(source);
        fc.pre(parsed.ok);
        const matcher = compilePattern(parsed.value, { ignoreCase }, resourcesOf());
        if (matcher.test(subject)) expect(subject).to.include(requiredText(parsed.value.tree, ignoreCase));
      }),
      { numRuns: 500 },
    );
  });
});
