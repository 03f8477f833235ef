import { expect } from 'chai';
import { z } from 'zod';
import { readSchema, writtenSchema } from '../../src/description/openapi/conversion.ts';

const Part = z.strictObject({ on: z.boolean().default(true) });

describe('writtenSchema', () => {
  it('lets members with a default be left out, and refuses what a strict object does not know', () => {
    expect(writtenSchema(Part)).to.deep.equal({
      type: 'object',
      properties: { on: { type: 'boolean', default: true } },
      additionalProperties: false,
    });
  });

  it('gives defaults and examples of what is transformed', () => {
    const page = z
      .string()
      .transform(Number)
      .meta({ type: 'integer', examples: [2] })
      .default(1);
    expect(writtenSchema(page)).to.deep.equal({ type: 'integer', examples: [2], default: 1 });
  });

  it('refers to named schemas, and says beside the reference only what is said there', () => {
    const whole = z.object({ part: Part.meta({ description: 'A part.' }).prefault({}), other: Part });
    const { properties } = writtenSchema(whole, new Map([[Part, 'PartInput']]));
    expect(properties).to.deep.equal({
      part: { $ref: '#/components/schemas/PartInput', description: 'A part.', default: {} },
      other: { $ref: '#/components/schemas/PartInput' },
    });
  });

  it('leaves out the limits that every integer has, and patterns of what a format says', () => {
    expect(writtenSchema(z.object({ id: z.uuid(), count: z.int().min(1) })).properties).to.deep.equal({
      id: { type: 'string', format: 'uuid' },
      count: { type: 'integer', minimum: 1 },
    });
  });
});

describe('readSchema', () => {
  it('has members with a default, and does not refuse what may come one day', () => {
    expect(readSchema(z.object({ part: Part }))).to.deep.equal({
      type: 'object',
      properties: {
        part: { type: 'object', properties: { on: { type: 'boolean', examples: [true] } }, required: ['on'] },
      },
      required: ['part'],
    });
  });

  it('keeps members that are called like keywords', () => {
    const { properties } = readSchema(z.object({ default: z.string(), additionalProperties: z.literal(false) }));
    expect(Object.keys(properties ?? {})).to.deep.equal(['default', 'additionalProperties']);
  });

  it('says what was written where the service makes something else of it', () => {
    const folded = z.object({
      logic: z
        .string()
        .max(3)
        .transform((logic) => logic.length),
    });
    expect(readSchema(folded).properties).to.deep.equal({ logic: { type: 'string', maxLength: 3 } });
  });

  it('has no null where null is never read', () => {
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
