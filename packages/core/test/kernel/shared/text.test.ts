import { expect } from 'chai';
import * as fc from 'fast-check';
import { ok } from 'neverthrow';
import { parse } from '../../../src/kernel/shared/parse.ts';
import { codePoints, nameKey, normalized, searchKey, text, utf8Bytes } from '../../../src/kernel/shared/text.ts';

const composed = '\u00e9';
const decomposed = 'e\u0301';

describe('codePoints', () => {
  const cases: readonly (readonly [value: string, count: number])[] = [
    ['', 0],
    ['abc', 3],
    ['é', 1],
    [decomposed, 2],
    ['😀', 1],
    ['a😀b', 3],
    ['👨‍👩‍👧', 5],
    ['\ud800', 1],
  ];
  for (const [value, count] of cases) {
    it(`counts ${count} in ${JSON.stringify(value)}`, () => {
      expect(codePoints(value)).to.equal(count);
    });
  }
});

describe('utf8Bytes', () => {
  it('agrees with the encoder', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.constant('\ud800')) }),
        (value) => {
          expect(utf8Bytes(value)).to.equal(new TextEncoder().encode(value).length);
        },
      ),
      { examples: [['\u007f'], ['\u0080'], ['\u07ff'], ['\u0800'], ['\uffff'], ['\u{10000}'], ['\udc00']] },
    );
  });
});

describe('normalized', () => {
  it('trims and composes', () => {
    expect(normalized(` \t\u00a0caf${decomposed}\u3000\n`)).to.equal(`caf${composed}`);
  });

  it('keeps white space inside', () => {
    expect(normalized('a  b')).to.equal('a  b');
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(normalized(normalized(value))).to.equal(normalized(value));
      }),
    );
  });
});

describe('nameKey', () => {
  const same: readonly (readonly [string, string])[] = [
    ['Shop', 'sHOP'],
    ['  Shop ', 'shop'],
    [`CAF${composed.toUpperCase()}`, `caf${decomposed}`],
    ['ÄÖÜ', 'äöü'],
    ['МАГАЗИН', 'магазин'],
  ];
  for (const [one, other] of same) {
    it(`treats ${JSON.stringify(one)} and ${JSON.stringify(other)} as the same name`, () => {
      expect(nameKey(one)).to.equal(nameKey(other));
    });
  }

  const different: readonly (readonly [string, string])[] = [
    ['shop', 'shops'],
    ['cafe', 'café'],
    ['a b', 'ab'],
    ['a b', 'a  b'],
  ];
  for (const [one, other] of different) {
    it(`distinguishes ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => {
      expect(nameKey(one)).not.to.equal(nameKey(other));
    });
  }

  it('folds a letter the same way anywhere in a name', () => {
    expect(nameKey('ΟΔΟΣ')).to.equal(nameKey('οδοσ'));
  });
});

describe('searchKey', () => {
  it('keeps white space at the ends, which is part of the search', () => {
    expect(searchKey(' Shop ')).to.equal(' shop ');
  });

  it('finds every part of a name in it, in any case', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'B', 'é', 'É', 'Ж', 'σ', 'Σ', ' ', '-', '😀'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(letters, letters, letters, (before, part, after) => {
        const key = nameKey(`x${before}${part}${after}x`);
        expect(key).to.include(searchKey(part));
        expect(key).to.include(searchKey(part.toLowerCase()));
        expect(key).to.include(searchKey(part.toUpperCase()));
      }),
      {
        examples: [
          ['ΟΔΟ', 'Σ', 'Α'],
          ['', 'ΟΔΟΣ', 'Α'],
        ],
      },
    );
  });
});

describe('text', () => {
  const codesOf = (limits: Parameters<typeof text>[0], value: unknown) =>
    parse(text(limits), value).match(
      () => [],
      ({ violations }) => violations.map(({ code }) => code),
    );
  const line = { min: 2, max: 4 };
  const lines = { max: 10, multiline: true };
  const cases: readonly (readonly [limits: typeof line | typeof lines, value: unknown, ...codes: string[]])[] = [
    [line, 'a', 'text.tooShort'],
    [line, 'ab'],
    [line, 'abcd'],
    [line, 'abcde', 'text.tooLong'],
    [line, '  ab  '],
    [line, '  a   ', 'text.tooShort'],
    [line, '', 'text.tooShort'],
    [line, ' abcd\n'],
    [line, '😀😀😀😀'],
    [line, '😀😀😀😀😀', 'text.tooLong'],
    // Five code points as written, four once composed.
    [line, `abc${decomposed}`],
    [line, 'a\u0000b', 'text.control'],
    [line, 'a\u007fb', 'text.control'],
    [line, 'a\u0085b', 'text.control'],
    [line, 'a\nb', 'text.control'],
    [line, 'a\tb', 'text.control'],
    [line, 'ab\udc00', 'text.encoding'],
    [line, 1, 'member.type'],
    [line, null, 'member.type'],
    [line, undefined, 'member.required'],
    [lines, ''],
    [lines, 'a\n\tb'],
    [lines, 'a\r\nb'],
    [lines, 'a\rb', 'text.control'],
    [lines, 'a\u001bb', 'text.control'],
  ];
  for (const [limits, value, ...codes] of cases) {
    it(`finds ${codes.join(' ') || 'nothing wrong'} in ${JSON.stringify(value)}, ${JSON.stringify(limits)}`, () => {
      expect(codesOf(limits, value)).to.deep.equal(codes);
    });
  }

  it('returns the normalized text', () => {
    expect(parse(text({ max: 9 }), ` caf${decomposed} `)).to.deep.equal(ok(`caf${composed}`));
  });

  it('accepts its own result unchanged', () => {
    const schema = text({ max: 40, multiline: true });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (value) => {
        const checked = parse(schema, value);
        if (checked.isOk()) expect(parse(schema, checked.value)).to.deep.equal(checked);
      }),
    );
  });
});

describe('text, against long runs of combining marks', () => {
  it('rejects far too long texts without normalizing them', () => {
    const long = `a${'\u0301'.repeat(65_000)}${'\u0316'.repeat(65_000)}`;
    const began = performance.now();
    expect(text({ max: 255 }).safeParse(long).success).to.equal(false);
    expect(performance.now() - began).to.be.below(500);
  });
});
