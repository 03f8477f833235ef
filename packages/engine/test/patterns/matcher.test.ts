import { expect } from 'chai';
import * as fc from 'fast-check';
import { compilePattern } from '../../src/patterns/compile-pattern.ts';
import { parsePattern } from '../../src/patterns/pattern.ts';
import { okOf } from '../outcomes.ts';
import { patterns, repetitionDepth, subjects } from './pattern-arbitraries.ts';
import { resourcesOf } from './resources.ts';
import { treeMatches } from './tree-matcher.ts';

const matcherOf = (pattern: string, ignoreCase = false, resources = resourcesOf()) =>
  compilePattern(okOf(parsePattern(pattern)), { ignoreCase }, resources);
const matches = (pattern: string, subject: string, ignoreCase = false) => matcherOf(pattern, ignoreCase).test(subject);

/** The bytes that a single-byte pattern matches. */
const bytesOf = (pattern: string, ignoreCase = false) =>
  Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))
    .filter((byte) => matches(`^${pattern}$`, byte, ignoreCase))
    .join('');

const milliseconds = (work: () => void): number => {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
};

describe('Matcher', () => {
  it('matches according to the pattern tree', () => {
    const all = fc.array(subjects(), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(patterns(), all, fc.boolean(), (pattern, each, fold) => {
        const parsed = parsePattern(pattern);
        fc.pre(parsed.ok);
        const matcher = matcherOf(pattern, fold);
        expect(each.map((subject) => matcher.test(subject))).to.deep.equal(
          each.map((subject) => treeMatches(parsed.value.tree, subject, fold)),
        );
      }),
      { numRuns: 400 },
    );
  });

  it('agrees with a backtracking engine, unless that takes exponential time', () => {
    fc.assert(
      fc.property(patterns(), subjects(6), fc.boolean(), (pattern, subject, fold) => {
        const parsed = parsePattern(pattern);
        fc.pre(parsed.ok && repetitionDepth(parsed.value.tree) < 2);
        expect(matches(pattern, subject, fold)).to.equal(new RegExp(pattern, fold ? 'si' : 's').test(subject));
      }),
      { numRuns: 400 },
    );
  });

  it('has the same results without memory for states', () => {
    fc.assert(
      fc.property(patterns(), subjects(), (pattern, subject) => {
        fc.pre(parsePattern(pattern).ok);
        expect(matcherOf(pattern, false, resourcesOf(0)).test(subject)).to.equal(matches(pattern, subject));
      }),
      { numRuns: 300 },
    );
  });

  it('counts like a backtracking engine, even to hundreds and without memory for states', () => {
    const body = fc.constantFrom('a', '[ab]', '(?:ab?)', '(?:a|bc)', '(?:\\ba|c)');
    const times = fc
      .tuple(fc.nat(70), fc.nat(40), fc.constantFrom('', '?'))
      .map(([min, more, lazy]) => `{${min},${min + more}}${lazy}`);
    const piece = fc.tuple(body, times).map((parts) => parts.join(''));
    const pattern = fc
      .tuple(
        fc.constantFrom('', '^'),
        fc.array(piece, { minLength: 1, maxLength: 2 }),
        fc.constantFrom('', 'c', '$', '\\b'),
      )
      .map(([first, pieces, last]) => first + pieces.join('') + last);
    const unit = fc.constantFrom('a', 'b', 'ab', 'aaaaaaaa', 'abababab', 'c', ' ');
    const subject = fc.array(unit, { maxLength: 40 }).map((units) => units.join(''));
    fc.assert(
      fc.property(pattern, subject, (source, text) => {
        fc.pre(parsePattern(source).ok);
        const expected = new RegExp(source).test(text);
        expect(matcherOf(source, false, resourcesOf(0)).test(text)).to.equal(expected);
        expect(matches(source, text)).to.equal(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('counts pieces of varying length, even without memory for states', () => {
    const long = 'ab'.repeat(17);
    const pieces = fc.constantFrom<readonly [body: string, texts: readonly string[]]>(
      ['a', ['a']],
      ['ab?c?d?', ['a', 'abd', 'ac', 'abcd']],
      ['(?:ab)+', ['ab', 'abab']],
      ['[ab]+c', ['ac', 'abbac']],
      ['(?:\\bab{3})*c ', ['c ', 'abbbc ']],
      [`(?:${long})?c`, ['c', `${long}c`]],
      [`(?:${long}|c)`, ['c', long]],
      [`(?:c|${long}){2,3}`, ['cc', `${long}c`, long + long]],
    );
    const counted = pieces.chain(([body, texts]) =>
      fc.record({
        body: fc.constant(body),
        pieces: fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 28, size: 'max' }),
        missing: fc.nat(27),
      }),
    );
    fc.assert(
      fc.property(counted, ({ body, pieces: all, missing }) => {
        const pattern = `^(?:${body}){${all.length}}`;
        const [byStates, byBits] = [matcherOf(pattern), matcherOf(pattern, false, resourcesOf(0))];
        const [whole, lacking] = [all, all.toSpliced(missing % all.length, 1)].map((each) => each.join(''));
        expect(byBits.test(whole ?? '')).to.equal(true);
        expect(byBits.test(lacking ?? '')).to.equal(byStates.test(lacking ?? ''));
      }),
      { numRuns: 120 },
    );
  });

  it('has the same results if memory runs out in the middle of a subject', () => {
    const subject = 'abba'.repeat(50);
    for (let bytes = 0; bytes < 4000; bytes += 200) {
      const matcher = matcherOf('(?:a|b)*a(?:a|b){6}c', false, resourcesOf(bytes));
      expect([subject, `${subject}c`, `${subject}bc`].map((each) => matcher.test(each))).to.deep.equal([
        false,
        matches('a.{6}c', `${subject}c`),
        matches('a.{6}c', `${subject}bc`),
      ]);
    }
  });

  const rows: readonly (readonly [pattern: string, subject: string, expected: boolean])[] = [
    ['^$', '', true],
    ['^$', 'a', false],
    ['$', 'a\n', true],
    ['a$', 'a\n', false],
    ['^a', '\na', false],
    ['a.c', 'a\nc', true],
    ['.', '\xff', true],
    ['\\bfoo\\b', 'a foo.', true],
    ['\\bfoo\\b', 'afoo', false],
    ['\\Bfoo', 'afoo', true],
    ['\\b', '', false],
    ['\\B', '', true],
    ['\\Bé'.replace('é', '.'), '\xe9', true],
    ['a{0}b', 'b', true],
    ['(?:a{2}){2,3}$', 'aaaaaaa', true],
    ['^(?:a{2}){2,3}$', 'aaaaaaa', false],
  ];
  for (const [pattern, subject, expected] of rows) {
    it(`${expected ? 'finds' : 'does not find'} ${pattern} in ${JSON.stringify(subject)}`, () => {
      expect(matches(pattern, subject)).to.equal(expected);
    });
  }

  it('limits classes to ASCII', () => {
    const all = bytesOf('.');
    const without = (part: string) =>
      all
        .split('')
        .filter((byte) => !part.includes(byte))
        .join('');
    const word = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
    expect(all).to.have.length(256);
    expect(bytesOf('\\d')).to.equal('0123456789');
    expect(bytesOf('\\w')).to.equal(word);
    expect(bytesOf('\\s')).to.equal('\t\n\v\f\r ');
    expect(bytesOf('\\W')).to.equal(without(word));
    expect(bytesOf('[^a-c]')).to.equal(without('abc'));
    expect(bytesOf('[^\\s\\d]')).to.equal(without('\t\n\v\f\r 0123456789'));
  });

  it('can ignore case, and negates after that', () => {
    const all = bytesOf('.');
    expect(bytesOf('k', true)).to.equal('Kk');
    expect(bytesOf('[X-b]', true)).to.equal('ABXYZ[\\]^_`abxyz');
    expect(bytesOf('[^k]', true)).to.equal(
      all
        .split('')
        .filter((byte) => !'Kk'.includes(byte))
        .join(''),
    );
    expect(bytesOf('[^Z]', true)).to.not.include('z');
    expect(bytesOf('\\d', true)).to.equal('0123456789');
  });

  const hostile = ['^(a+)+$', '(a|a)*$', '(a|aa)+$', '(?:a*)*b', '((a*)*)*b', '.*.*.*.*=.*', '(x+x+)+y', '(.*a){20}x'];
  for (const pattern of [
    ...hostile,
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '^(a?){30}a{30}b',
    '(a|b)*a(a|b){14}c',
    '[ab]{0,990}[ab]{0,990}[cd]',
    '[ab]{900}x|[ab]{900}y',
    '(?:a?b?){0,900}c',
  ]) {
    it(`matches 100,000 bytes against ${pattern} quickly`, () => {
      const uniform = `${'a'.repeat(100_000)}!`;
      let bits = 1;
      const mixed = Array.from({ length: 100_000 }, () => {
        bits = (Math.imul(bits, 1_103_515_245) + 12_345) & 0x7fff_ffff;
        return (bits >> 16) % 2 === 0 ? 'a' : 'b';
      }).join('');
      const matcher = matcherOf(pattern);
      // Generous, because test machines are slow; a backtracking engine would take practically forever.
      expect(milliseconds(() => matcher.test(uniform))).to.be.below(500);
      expect(milliseconds(() => matcher.test(mixed))).to.be.below(1000);
    });
  }

  it('takes twice the time for twice the subject, even without memory for states', () => {
    const matcher = matcherOf('(?:a|b)*a(?:a|b){50}c', false, resourcesOf(0));
    const time = (length: number) => milliseconds(() => matcher.test('ab'.repeat(length)));
    time(2000);
    const [once, tenfold] = [time(2000), time(20_000)];
    expect(tenfold).to.be.below(40 * Math.max(once, 5));
  });
});
