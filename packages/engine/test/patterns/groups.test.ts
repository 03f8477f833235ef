import { expect } from 'chai';
import * as fc from 'fast-check';
import { compileGroups } from '../../src/patterns/compile-pattern.ts';
import { parsePattern } from '../../src/patterns/pattern.ts';
import { fitsEmpty, type PatternNode } from '../../src/patterns/pattern-tree.ts';
import { okOf } from '../outcomes.ts';
import { patterns, repetitionDepth, subjects } from './pattern-arbitraries.ts';
import { resourcesOf } from './resources.ts';

const groupsOf = (pattern: string, subject: string, ignoreCase = false) => {
  const parsed = okOf(parsePattern(pattern));
  return compileGroups(parsed, { ignoreCase, groups: parsed.captureGroups }, resourcesOf()).find(subject);
};

/** Whether engines disagree about a repetition in the pattern: of groups, or of what matches the empty text. */
function isDisputed(node: PatternNode, repeated = false): boolean {
  switch (node.kind) {
    case 'bytes':
    case 'assertion':
      return false;
    case 'sequence':
      return node.parts.some((part) => isDisputed(part, repeated));
    case 'choice':
      return node.options.some((option) => isDisputed(option, repeated));
    case 'group':
      return repeated || isDisputed(node.body, repeated);
    case 'repetition':
      return fitsEmpty(node.body) || isDisputed(node.body, repeated || node.max > 1);
  }
}

describe('GroupFinder', () => {
  it('agrees with a backtracking engine about the groups of the first match', () => {
    fc.assert(
      fc.property(patterns(), subjects(6), fc.boolean(), (pattern, subject, fold) => {
        const parsed = parsePattern(pattern);
        fc.pre(parsed.ok && !isDisputed(parsed.value.tree) && repetitionDepth(parsed.value.tree) < 2);
        const found = new RegExp(pattern, fold ? 'si' : 's').exec(subject);
        const expected = found === null ? undefined : [...found].slice(1).map((text: string | undefined) => text ?? '');
        expect(groupsOf(pattern, subject, fold)).to.deep.equal(expected);
      }),
      { numRuns: 400 },
    );
  });

  const rows: readonly (readonly [pattern: string, subject: string, groups: readonly string[] | undefined])[] = [
    ['(a|ab)(c|bcd)(d*)', 'abcd', ['a', 'bcd', '']],
    ['(a+?)(a*)', 'aaa', ['a', 'aa']],
    ['(a+)(a*)', 'aaa', ['aaa', '']],
    ['(x)?y', 'y', ['']],
    ['(\\w+)$', 'one two', ['two']],
    ['\\b(b\\w)', 'ab bc', ['bc']],
    ['(a)|(b)', 'xb', ['', 'b']],
    ['^(b)', 'ab', undefined],
    ['(a*)', 'baa', ['']],
    ['()', '', ['']],
  ];
  for (const [pattern, subject, groups] of rows) {
    it(`finds ${JSON.stringify(groups)} with ${pattern} in ${subject}`, () => {
      expect(groupsOf(pattern, subject)).to.deep.equal(groups);
    });
  }

  it('finds only the requested groups', () => {
    const parsed = okOf(parsePattern('(a)(b)(c)'));
    expect(compileGroups(parsed, { ignoreCase: false, groups: 2 }, resourcesOf()).find('abc')).to.deep.equal([
      'a',
      'b',
    ]);
  });

  it('takes linear time for long subjects', () => {
    const started = process.cpuUsage();
    expect(groupsOf('^(?:a|a)*(a+?)$', 'a'.repeat(20_000))).to.deep.equal(['a']);
    expect(groupsOf('(?:a+)+(a)b', 'a'.repeat(20_000))).to.equal(undefined);
    const { user } = process.cpuUsage(started);
    expect(user / 1000).to.be.below(2000);
  });
});
