import { expect } from 'chai';
import { z } from 'zod';
import { readSchema, writtenSchema } from '../../src/openapi/conversion.ts';

const Part = z.strictObject({ on: z.boolean().default(true) });

describe('writtenSchema', () => {
  it('makes members with a default optional, and rejects unknown members of strict objects', () => {
    expect(writtenSchema(Part)).to.deep.equal({
      type: 'object',
      properties: { on: { type: 'boolean', default: true } },
      additionalProperties: false,
    });
  });

  it('includes defaults and examples of transformed schemas', () => {
    const page = z
      .string()
      .transform(Number)
      .meta({ type: 'integer', examples: [2] })
      .default(1);
    expect(writtenSchema(page)).to.deep.equal({ type: 'integer', examples: [2], default: 1 });
  });

  it('refers to named schemas, with annotations beside the reference', () => {
    const whole = z.object({ part: Part.meta({ description: 'A part.' }).prefault({}), other: Part });
    const { properties } = writtenSchema(whole, new Map([[Part, 'PartInput']]));
    expect(properties).to.deep.equal({
      part: { $ref: '#/components/schemas/PartInput', description: 'A part.' },
      other: { $ref: '#/components/schemas/PartInput' },
    });
  });

  it('omits limits that every integer has, and patterns implied by formats', () => {
    expect(writtenSchema(z.object({ id: z.uuid(), count: z.int().min(1) })).properties).to.deep.equal({
      id: { type: 'string', format: 'uuid' },
      count: { type: 'integer', minimum: 1 },
    });
  });
});

describe('readSchema', () => {
  it('requires members with a default, and allows additional members', () => {
    expect(readSchema(z.object({ part: Part }))).to.deep.equal({
      type: 'object',
      properties: {
        part: { type: 'object', properties: { on: { type: 'boolean', examples: [true] } }, required: ['on'] },
      },
      required: ['part'],
    });
  });

  it('keeps members named like keywords', () => {
    const { properties } = readSchema(z.object({ default: z.string(), additionalProperties: z.literal(false) }));
    expect(Object.keys(properties ?? {})).to.deep.equal(['default', 'additionalProperties']);
  });

  it('describes the written value where the service transforms it', () => {
    const folded = z.object({
      logic: z
        .string()
        .max(3)
        .transform((logic) => logic.length),
    });
    expect(readSchema(folded).properties).to.deep.equal({ logic: { type: 'string', maxLength: 3 } });
  });

  it('omits null where null is never returned', () => {
    const absentable = z.codec(z.string().nullable().optional(), z.string().optional(), {
      decode: (value) => value ?? undefined,
      encode: (value) => value,
    });
    expect(readSchema(z.object({ note: absentable }))).to.deep.equal({
      type: 'object',
      properties: { note: { type: 'string' } },
    });
  });
});
