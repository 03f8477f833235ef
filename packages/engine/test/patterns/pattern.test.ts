import { expect } from 'chai';
import * as fc from 'fast-check';
import { parsePattern } from '../../src/patterns/pattern.ts';
import { errorOf, okOf } from '../outcomes.ts';

const problemOf = (pattern: string) => {
  const parsed = parsePattern(pattern);
  return parsed.ok ? 'accepted' : `${parsed.error.code} at ${parsed.error.position}`;
};
const messageOf = (pattern: string) => errorOf(parsePattern(pattern)).message;
const statesOf = (pattern: string) => okOf(parsePattern(pattern)).states;

const nested = (opener: string, depth: number) => `${opener.repeat(depth)}a${')'.repeat(depth)}`;

describe('parsePattern', () => {
  const accepted = [
    'a',
    ' ',
    '^/cart',
    '^/blog/[0-9]{4}/',
    '\\.(?:css|js)$',
    '^$',
    '.',
    'a|b|',
    '|',
    '()',
    '(?:)',
    '(a|(?:b|(c)))',
    'a*b+c?',
    'a*?b+?c??',
    'a{0}b{1}c{1000}',
    'a{2,}b{2,3}c{2,2}d{0,1000}',
    'a{2}?b{2,}?c{2,3}?',
    '(a){2}',
    '[a]+',
    '(?:^|/)a',
    '(^|b)*',
    '[a-z0-9_.-]',
    '[-a]',
    '[a-]',
    '[^-a]',
    '[^a-]',
    '[^^]',
    '[a^]',
    '[.*+?(){}|$]',
    '[[]',
    '[a[b]',
    '[\\]\\[\\\\\\-\\^]',
    '[\\d\\D\\w\\W\\s\\S]',
    '[\\w-]',
    '[-\\w]',
    '[!-~]',
    '[a-a]',
    '[\\!-\\/]',
    '[a-c-]',
    '\\d\\D\\w\\W\\s\\S\\b\\B',
    '\\bword\\b',
    '\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\^\\$\\\\\\/\\-\\_\\ ',
    ']',
    '}',
    'a]b}c',
    '\\{x}',
    '~!@#%&=\'",<>;:/-_`',
  ];
  for (const pattern of accepted) {
    it(`accepts ${pattern}`, () => {
      expect(problemOf(pattern)).to.equal('accepted');
      expect(() => new RegExp(pattern)).not.to.throw();
    });
  }

  const refused = [
    ['', 'empty at 0'],
    // References to groups.
    ['(a)\\1', 'backreference at 3'],
    ['(a)\\9', 'backreference at 3'],
    ['(a)\\k<n>', 'backreference at 3'],
    ['(a)\\g{1}', 'backreference at 3'],
    ['(a)(?P=n)', 'backreference at 3'],
    ['a(?R)', 'recursion at 1'],
    ['a(?0)', 'recursion at 1'],
    ['a(?1)', 'recursion at 1'],
    ['a(?+1)', 'recursion at 1'],
    ['a(?-1)', 'recursion at 1'],
    ['a(?&n)', 'recursion at 1'],
    ['a(?P>n)', 'recursion at 1'],
    // Groups of other dialects.
    ['a(?=b)', 'lookaround at 1'],
    ['a(?!b)', 'lookaround at 1'],
    ['a(?<=b)', 'lookaround at 1'],
    ['a(?<!b)', 'lookaround at 1'],
    ['(?>a)', 'atomicGroup at 0'],
    ['(a)?(?(1)b|c)', 'conditional at 4'],
    ['(?<n>a)', 'namedGroup at 0'],
    ['(?P<n>a)', 'namedGroup at 0'],
    ["(?'n'a)", 'namedGroup at 0'],
    ['(?i)a', 'inlineFlags at 0'],
    ['(?i:a)', 'inlineFlags at 0'],
    ['(?-s:a)', 'inlineFlags at 0'],
    ['(?^:a)', 'inlineFlags at 0'],
    ['(?#a)', 'comment at 0'],
    ['(?|a)', 'branchReset at 0'],
    ['(?C1)', 'callout at 0'],
    ['(*UTF)a', 'verb at 0'],
    ['(*:a)', 'verb at 0'],
    ['(?', 'group.unknown at 0'],
    ['(?)', 'group.unknown at 0'],
    ['(?*a)', 'group.unknown at 0'],
    // Escapes of other dialects.
    ['\\Aa', 'escape.anchor at 0'],
    ['a\\z', 'escape.anchor at 1'],
    ['a\\Z', 'escape.anchor at 1'],
    ['a\\G', 'escape.anchor at 1'],
    ['a\\C', 'escape.byte at 1'],
    ['a\\K', 'escape.keep at 1'],
    ['a\\R', 'escape.newline at 1'],
    ['a\\X', 'escape.grapheme at 1'],
    ['\\Qa.b\\E', 'escape.quote at 0'],
    ['a\\E', 'escape.quote at 1'],
    ['\\pL', 'escape.property at 0'],
    ['\\P{L}', 'escape.property at 0'],
    ['\\0', 'escape.codePoint at 0'],
    ['\\012', 'escape.codePoint at 0'],
    ['\\x41', 'escape.codePoint at 0'],
    ['\\x{41}', 'escape.codePoint at 0'],
    ['\\u0041', 'escape.codePoint at 0'],
    ['\\o{101}', 'escape.codePoint at 0'],
    ['\\cA', 'escape.codePoint at 0'],
    ['\\N{U+41}', 'escape.codePoint at 0'],
    ['\\n', 'escape.control at 0'],
    ['\\t', 'escape.control at 0'],
    ['\\a', 'escape.control at 0'],
    ['\\h', 'escape.unknown at 0'],
    ['\\y', 'escape.unknown at 0'],
    ['a\\', 'escape.unfinished at 1'],
    ['\\é', 'nonAscii at 1'],
    // Characters.
    ['caf\u00e9', 'nonAscii at 3'],
    ['a😀', 'nonAscii at 1'],
    ['[é]', 'nonAscii at 1'],
    ['[\\é]', 'nonAscii at 2'],
    ['a\u0080', 'nonAscii at 1'],
    ['a\tb', 'control at 1'],
    ['a\nb', 'control at 1'],
    ['a\u007f', 'control at 1'],
    // Classes.
    ['[]', 'class.empty at 1'],
    ['[]a]', 'class.empty at 1'],
    ['[^]', 'class.empty at 2'],
    ['[^]a]', 'class.empty at 2'],
    ['a[bc', 'class.unclosed at 1'],
    ['a[', 'class.unclosed at 1'],
    ['a[^', 'class.unclosed at 1'],
    ['[a-', 'class.unclosed at 0'],
    ['[a\\', 'escape.unfinished at 2'],
    ['[z-a]', 'class.range at 1'],
    ['[ab-a]', 'class.range at 2'],
    ['[\\d-z]', 'class.hyphen at 3'],
    ['[a-\\d]', 'class.hyphen at 2'],
    ['[a-c-e]', 'class.hyphen at 4'],
    ['[--a]', 'class.hyphen at 2'],
    ['[a--]', 'class.hyphen at 2'],
    ['[[:alpha:]]', 'posixClass at 1'],
    ['[a[.b.]]', 'posixClass at 2'],
    ['[[=a=]]', 'posixClass at 1'],
    ['a[:alpha:]', 'posixClass at 1'],
    ['[:^digit:]', 'posixClass at 0'],
    ['[.x.]', 'posixClass at 0'],
    ['[\\b]', 'class.escape at 1'],
    ['[\\B]', 'class.escape at 1'],
    ['[\\1]', 'backreference at 1'],
    ['[\\x41]', 'escape.codePoint at 1'],
    ['[\\pL]', 'escape.property at 1'],
    // Quantifiers.
    ['*', 'quantifier.nothing at 0'],
    ['+a', 'quantifier.nothing at 0'],
    ['?', 'quantifier.nothing at 0'],
    ['**', 'quantifier.nothing at 0'],
    ['{2}', 'quantifier.nothing at 0'],
    ['{2000}', 'quantifier.nothing at 0'],
    ['a|*', 'quantifier.nothing at 2'],
    ['(+)', 'quantifier.nothing at 1'],
    ['(*.js)', 'quantifier.nothing at 1'],
    ['(?:?a)', 'quantifier.nothing at 3'],
    ['^*', 'quantifier.anchor at 1'],
    ['a$+', 'quantifier.anchor at 2'],
    ['\\b?', 'quantifier.anchor at 2'],
    ['\\B{2}', 'quantifier.anchor at 2'],
    ['a**', 'quantifier.repeated at 2'],
    ['a{2}{3}', 'quantifier.repeated at 4'],
    ['a*?*', 'quantifier.repeated at 3'],
    ['a+*', 'quantifier.repeated at 2'],
    ['a???', 'quantifier.repeated at 3'],
    ['a+?+', 'quantifier.repeated at 3'],
    ['a++', 'possessive at 1'],
    ['a*+', 'possessive at 1'],
    ['a?+', 'possessive at 1'],
    ['a{2}+', 'possessive at 1'],
    ['a{1001}', 'quantifier.bound at 1'],
    ['a{1001,}', 'quantifier.bound at 1'],
    ['a{0,1001}', 'quantifier.bound at 1'],
    ['a{99999999999999999999}', 'quantifier.bound at 1'],
    ['a{3,2}', 'quantifier.order at 1'],
    ['a{', 'quantifier.syntax at 1'],
    ['a{}', 'quantifier.syntax at 1'],
    ['a{,2}', 'quantifier.syntax at 1'],
    ['a{2', 'quantifier.syntax at 1'],
    ['a{2,', 'quantifier.syntax at 1'],
    ['a{02}', 'quantifier.syntax at 1'],
    ['a{ 2 }', 'quantifier.syntax at 1'],
    ['a{-1}', 'quantifier.syntax at 1'],
    ['{json}', 'quantifier.syntax at 0'],
    // Parentheses.
    ['(', 'group.unclosed at 0'],
    ['a(b', 'group.unclosed at 1'],
    ['(a(b)', 'group.unclosed at 0'],
    ['(?:a', 'group.unclosed at 0'],
    [')', 'group.unopened at 0'],
    ['a)b', 'group.unopened at 1'],
    ['(a))', 'group.unopened at 3'],
  ] as const;
  for (const [pattern, problem] of refused) {
    it(`refuses ${JSON.stringify(pattern)} as ${problem}`, () => {
      expect(problemOf(pattern)).to.equal(problem);
    });
  }

  it('names the construct and its 0-based position', () => {
    expect(messageOf('a(?<!b)')).to.equal('Negative lookbehind "(?<!" at position 1 is not supported.');
    expect(messageOf('(a)\\1')).to.equal('The backreference "\\1" at position 3 is not supported.');
    expect(messageOf('a++')).to.equal('The possessive quantifier "++" at position 1 is not supported.');
    expect(messageOf('caf\u00e9')).to.equal('The character U+00E9 at position 3 is not ASCII.');
    expect(messageOf('[[:alpha:]]')).to.equal('The POSIX class "[:" at position 1 is not supported.');
    expect(messageOf('ab$*')).to.equal('The quantifier at position 3 cannot repeat the anchor "$".');
  });

  describe('limits', () => {
    it('allows 1024 characters and no more', () => {
      expect(problemOf('a'.repeat(1024))).to.equal('accepted');
      expect(problemOf('a'.repeat(1025))).to.equal('tooLong at 1024');
    });

    it('allows 20 capturing groups, and any number of others', () => {
      expect(problemOf('(a)'.repeat(20))).to.equal('accepted');
      expect(problemOf('(a)'.repeat(21))).to.equal('group.tooMany at 60');
      expect(problemOf('(?:a)'.repeat(21))).to.equal('accepted');
    });

    it('allows 20 levels of groups of either kind', () => {
      expect(problemOf(nested('(', 20))).to.equal('accepted');
      expect(problemOf(nested('(?:', 20))).to.equal('accepted');
      expect(problemOf(nested('(?:', 21))).to.equal('group.depth at 60');
      expect(problemOf(`${nested('(', 10)}${nested('(?:', 20)}`)).to.equal('accepted');
    });

    it('does not run out of stack when a pattern is all parentheses', () => {
      expect(problemOf('('.repeat(1024))).to.equal('group.depth at 20');
    });

    it('allows 5000 states and reports the number beyond that', () => {
      expect(statesOf('a{1000}'.repeat(5))).to.equal(5000);
      expect(problemOf(`${'a{1000}'.repeat(5)}b`)).to.equal('states at 0');
      expect(messageOf(`${'a{1000}'.repeat(5)}b`)).to.include('5001 states');
    });

    it('reports a number even if the expansion overflows', () => {
      const bomb = `${'(?:'.repeat(19)}a${'{1000})'.repeat(19)}`;
      expect(problemOf(bomb)).to.equal('states at 0');
      expect(messageOf(bomb)).to.match(/expands to \d+ states/);
    });

    it('allows nested repetitions with a total of 1000 copies', () => {
      expect(problemOf('(?:a{10}){100}')).to.equal('accepted');
      expect(problemOf('(?:(?:a{2}){500}b)*')).to.equal('accepted');
      expect(problemOf('(?:a{10}){101}')).to.equal('quantifier.nested at 0');
      expect(messageOf('(?:a{10}){101}')).to.include('1010');
      expect(problemOf('(?:a{10,}){101}')).to.equal('quantifier.nested at 0');
      expect(problemOf('(?:a{10}|b){50}(?:c{20}){50}')).to.equal('accepted');
    });
  });

  describe('states', () => {
    const rows = [
      ['abc', 3],
      ['^a$', 3],
      ['[a-z]\\d.', 3],
      ['a|b', 3],
      ['a|b|c', 5],
      ['(?:ab)', 2],
      ['(ab)', 4],
      ['a*', 2],
      ['a+?', 2],
      ['a?', 2],
      ['a{3}', 3],
      ['a{0}', 0],
      ['a{0,}', 2],
      ['a{3,}', 4],
      ['a{2,4}', 6],
      ['(?:ab){0,2}', 6],
    ] as const;
    for (const [pattern, states] of rows) {
      it(`counts ${states} in ${pattern}`, () => {
        expect(statesOf(pattern)).to.equal(states);
      });
    }
  });

  it('counts capturing groups for replacements', () => {
    expect(okOf(parsePattern('^/(a)/(?:b|(c(d)))$')).captureGroups).to.equal(3);
    expect(okOf(parsePattern('^/(?:a)$')).captureGroups).to.equal(0);
  });

  it('counts the groups that JavaScript counts', () => {
    fc.assert(
      fc.property(patterns(), (pattern) => {
        const parsed = parsePattern(pattern);
        fc.pre(parsed.ok);
        expect(new RegExp(`${pattern}|`).exec('')).to.have.length(okOf(parsed).captureGroups + 1);
      }),
    );
  });

  it('accepts only what compiles in JavaScript', () => {
    fc.assert(
      fc.property(fc.oneof(patterns(), almostPatterns()), (pattern) => {
        if (parsePattern(pattern).ok) expect(() => new RegExp(pattern)).not.to.throw();
      }),
      { numRuns: 5000 },
    );
  });

  it('points into the pattern with every problem', () => {
    fc.assert(
      fc.property(almostPatterns(), (pattern) => {
        const parsed = parsePattern(pattern);
        fc.pre(!parsed.ok);
        expect(errorOf(parsed).position).to.be.within(0, Math.max(pattern.length - 1, 0));
      }),
      { numRuns: 2000 },
    );
  });

  it('parses the worst patterns of full length quickly', () => {
    const worst = ['{'.repeat(1024), `a{${'1'.repeat(1000)}`, '[a-b'.repeat(256), '(?:'.repeat(341), 'a|'.repeat(512)];
    const started = performance.now();
    for (const pattern of worst) for (let run = 0; run < 50; run += 1) parsePattern(pattern);
    expect(performance.now() - started).to.be.below(2000);
  });
});

/** Grammatical patterns, most of them valid. */
function patterns(): fc.Arbitrary<string> {
  const atom = fc.constantFrom('a', 'b', '.', '\\d', '\\W', '\\.', '\\-', '[a-z]', '[^\\s-]', '[-_]', '\\{', ']', '}');
  const { pattern } = fc.letrec<{ pattern: string; branch: string; piece: string }>((tie) => ({
    pattern: fc.array(tie('branch'), { minLength: 1, maxLength: 3 }).map((branches) => branches.join('|')),
    branch: fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
    piece: fc.oneof(
      { maxDepth: 4 },
      fc.tuple(atom, quantifier()).map((parts) => parts.join('')),
      fc.constantFrom('^', '$', '\\b', '\\B'),
      fc.tuple(tie('pattern'), quantifier()).map(([inner, times]) => `(${inner})${times}`),
      fc.tuple(tie('pattern'), quantifier()).map(([inner, times]) => `(?:${inner})${times}`),
    ),
  }));
  return pattern;
}

const quantifier = () => fc.constantFrom('', '', '', '*', '+?', '?', '{2}', '{0,3}?', '{1,}');

/** Pieces of pattern syntax in random order, most of them invalid. */
function almostPatterns(): fc.Arbitrary<string> {
  const pieces = [
    ...'ab019-^$.|()[]{}*+?\\,:=!<'.split(''),
    '(?:',
    '(?',
    '[^',
    '\\d',
    '\\b',
    '{2}',
    '{1,3}',
    '[a-z]',
    'é',
  ];
  return fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
}
