import { expect } from 'chai';
import { z } from 'zod';
import { noParameters, pageParameters, parametersOf, readQuery } from '../../src/http/query.ts';

const tags = z.object({ 'tag[]': z.array(z.string()).optional(), q: z.string().optional() });

/** The parsed parameters, or the codes of their violations. */
const parametersIn = (querystring: string, schema: z.ZodObject = tags) =>
  parametersOf(schema, querystring, { isRepeated: true }).match(
    (parameters): unknown => parameters,
    (error) => ('violations' in error ? error.violations.map(({ code }) => code) : error),
  );

describe('parametersOf', () => {
  it('keeps only parameters of the schema, in order and decoded', () => {
    expect(parametersIn('x=1&tag%5B%5D=b&q=%C3%A9+e&tag[7]=a&__proto__=1&toString=2&tag=c&')).to.deep.equal([
      ['tag[]', 'b'],
      ['q', 'é e'],
      ['tag[]', 'a'],
    ]);
  });

  it('accepts 120 parameters and rejects one more, known or not', () => {
    for (const [name, known] of [
      ['a', 0],
      ['tag[]', 120],
    ] as const) {
      const allowed = Array(120).fill(`${name}=1`).join('&');
      expect(parametersIn(allowed)).to.have.length(known);
      expect(parametersIn(`${allowed}&${name}=1`)).to.deep.equal(['query.tooMany']);
    }
  });

  it('rejects parameters that would make links longer than 4 KiB, and accepts any 255 characters', () => {
    expect(parametersIn(`q=${'😀'.repeat(255)}`)).to.deep.equal([['q', '😀'.repeat(255)]]);
    expect(parametersIn(`q=${'a'.repeat(4094)}`)).to.have.length(1);
    expect(parametersIn(`q=${'a'.repeat(4095)}`)).to.deep.equal(['query.tooLong']);
    expect(parametersIn(`q=${'@'.repeat(1400)}`)).to.deep.equal(['query.tooLong']);
    expect(parametersIn(`x=${'a'.repeat(16_000)}`)).to.deep.equal([]);
    expect(parametersOf(tags, `q=${'a'.repeat(16_000)}`, { isRepeated: false }).isOk()).to.equal(true);
  });

  // A quadratic parser would need a minute for these.
  it('rejects a thousand queries of 16 KiB within the time of a test', () => {
    for (let count = 0; count < 1000; count += 1) {
      expect(parametersIn('a&'.repeat(8192), noParameters)).to.deep.equal(['query.tooMany']);
    }
  });
});

describe('readQuery', () => {
  const read = (querystring: string) =>
    parametersOf(z.object({ ...tags.shape, ...pageParameters }), querystring, { isRepeated: true })
      .andThen((parameters) => readQuery(z.object({ ...tags.shape, ...pageParameters }), parameters))
      .match(
        (values): unknown => values,
        ({ type, ...error }) => ('violations' in error ? [type, ...error.violations.map(({ code }) => code)] : type),
      );

  it('turns bracketed parameters into lists, and all others into single values', () => {
    expect(read('tag[]=b&page=2&tag[0]=a')).to.deep.equal({ 'tag[]': ['b', 'a'], page: 2, itemsPerPage: 30 });
  });

  it('rejects a repeated single parameter, and ignores an unknown one', () => {
    expect(read('page=1&page=1')).to.deep.equal(['InvalidQuery', 'query.repeated']);
    expect(read('x=1&x=2')).to.deep.equal({ page: 1, itemsPerPage: 30 });
  });

  it('treats more than 100 items per page as 100', () => {
    expect(read('itemsPerPage=101')).to.deep.equal({ page: 1, itemsPerPage: 100 });
  });
});
