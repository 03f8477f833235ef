import { expect } from 'chai';
import { check, jsonValue, property } from 'fast-check';
import { canonicalJson } from '../src/index.ts';

describe('canonicalJson', () => {
  it('writes the example of RFC 8785, section 3.2.3', () => {
    const input = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"€$\u000f\nA'B\"\\\\\"/","literals":[null,true,false]}`,
    );
    expect(canonicalJson(input)).to.equal(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('sorts members by UTF-16 code units (RFC 8785, section 3.2.3)', () => {
    const names = ['€', '\r', '\ufb33', '1', '😂', '\u0080', 'ö'];
    const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
    expect(Object.keys(JSON.parse(text))).to.have.members(names);
    expect([...text.matchAll(/"((?:[^"\\]|\\.)*)":/g)].map(([, name]) => JSON.parse(`"${name}"`))).to.deep.equal([
      '\r',
      '1',
      '\u0080',
      'ö',
      '€',
      '😂',
      '\ufb33',
    ]);
  });

  it('leaves out members without a value', () => {
    expect(canonicalJson({ b: undefined, a: [1, { c: undefined }] })).to.equal('{"a":[1,{}]}');
  });

  it('keeps every value and depends on no order', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([name, each]) => [name, reversed(each)]),
      );
    };
    const result = check(
      property(jsonValue(), (value) => {
        const text = canonicalJson(value);
        return canonicalJson(JSON.parse(text)) === text && canonicalJson(reversed(value)) === text;
      }),
    );
    expect(result.failed, JSON.stringify(result.counterexample)).to.equal(false);
  });
});
