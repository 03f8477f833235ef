import { expect } from 'chai';
import { z } from 'zod';
import { coded, parse } from '../../../src/kernel/shared/parse.ts';
import { text } from '../../../src/kernel/shared/text.ts';

const schema = z.strictObject({
  name: text({ min: 1, max: 5 }),
  size: z.int().min(1).max(3),
  tags: z
    .array(z.enum(['a', 'b']))
    .max(2)
    .optional(),
  even: z
    .int()
    .refine((n) => n % 2 === 0, coded('number.even', 'should be even'))
    .optional(),
});
const codes = (input: unknown) =>
  parse(schema, input).match(
    () => [],
    ({ violations }) => violations.map(({ propertyPath, code }) => `${propertyPath} ${code}`),
  );

describe('parse', () => {
  it('reports every violation with path and stable code', () => {
    expect(codes({ size: 9, tags: ['a', 'x'], even: 3, extra: 1 })).to.have.members([
      'name member.required',
      'size number.range',
      'tags[1] value.choice',
      'even number.even',
      'extra member.unknown',
    ]);
    expect(codes({ name: 'abcdef', size: '1' })).to.deep.equal(['name text.tooLong', 'size member.type']);
    expect(codes(null)).to.deep.equal([' member.type']);
  });

  it('counts code points after trimming and rejects control characters', () => {
    expect(codes({ name: '  😀😀😀😀😀 ', size: 1 })).to.deep.equal([]);
    expect(codes({ name: 'a\u0000b', size: 1 })).to.deep.equal(['name text.control']);
    expect(codes({ name: '\ud800', size: 1 })).to.deep.equal(['name text.encoding']);
    expect(codes({ name: '   ', size: 1 })).to.deep.equal(['name text.tooShort']);
  });
});
