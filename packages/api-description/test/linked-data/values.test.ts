import { expect } from 'chai';
import { z } from 'zod';
import { membersOf, schemaReader } from '../../src/linked-data/class-members.ts';
import { type MemberValue, valueOf } from '../../src/linked-data/values.ts';
import { link } from '../../src/resource-description.ts';

const rule = { type: 'Rule', title: 'rule', description: 'A rule.', schema: z.object({ name: z.string() }) };
const readSchema = schemaReader([rule]);

const literal = (datatype: string, isList = false) => ({ kind: 'literal', datatype, isList });
const json = { kind: 'json', isList: false };

describe('valueOf', () => {
  const cases: readonly (readonly [name: string, schema: z.ZodType, value: object])[] = [
    ['a text', z.string(), literal('xsd:string')],
    ['a text with a default', z.string().default('on'), literal('xsd:string')],
    ['a text that may be null', z.string().nullish(), literal('xsd:string')],
    ['a text that is transformed', z.string().transform(Number), literal('xsd:string')],
    ['a choice', z.enum(['a', 'b']), literal('xsd:string')],
    ['a whole number', z.int(), literal('xsd:integer')],
    ['a choice of whole numbers', z.literal([301, 302]), literal('xsd:integer')],
    ['a choice of whole numbers that may be null', z.literal([301, 302]).nullish(), literal('xsd:integer')],
    ['a number', z.number(), literal('xsd:double')],
    ['a choice of numbers', z.literal([0.5, 1]), literal('xsd:double')],
    ['a truth value', z.boolean(), literal('xsd:boolean')],
    ['a moment', z.iso.datetime(), literal('xsd:dateTime')],
    ['a list of texts', z.array(z.string()), literal('xsd:string', true)],
    ['a link', link('Zone', 'A zone.'), { kind: 'link', type: 'Zone', isList: false }],
    ['a list of links', z.array(link('Zone', 'A zone.')), { kind: 'link', type: 'Zone', isList: true }],
    ['a resource', z.object({ within: rule.schema }).shape.within, json],
    ['alternatives of one kind', z.union([z.string().min(9), z.literal('')]), literal('xsd:string')],
    ['alternatives of several kinds', z.union([z.string(), z.int()]), json],
    ['an object', z.object({ a: z.string() }), json],
    ['names of any kind', z.record(z.string(), z.string()), json],
    ['a list of objects', z.array(z.object({ a: z.string() })), { kind: 'json', isList: true }],
    ['a list of lists', z.array(z.array(z.string())), { kind: 'json', isList: true }],
    ['anything', z.unknown(), json],
  ];
  for (const [name, schema, value] of cases) {
    it(`maps ${name} to ${JSON.stringify(value)}`, () => {
      expect(valueOf(readSchema(schema))).to.deep.equal(value);
    });
  }
});

describe('membersOf', () => {
  const valuesOf = (schema: z.ZodType): Readonly<Record<string, MemberValue>> =>
    Object.fromEntries(
      membersOf({ read: [readSchema(schema)], written: [], created: [] }).map(({ name, value }) => [name, value]),
    );

  it('recognizes resources inside a resource', () => {
    const schema = z.object({ first: rule.schema, all: z.array(rule.schema).meta({ description: 'Every rule.' }) });
    expect(valuesOf(schema)).to.deep.equal({
      first: { kind: 'embedded', type: 'Rule', isList: false },
      all: { kind: 'embedded', type: 'Rule', isList: true },
    });
  });

  it('does not treat a resource as part of itself', () => {
    expect(valuesOf(rule.schema)).to.deep.equal({ name: literal('xsd:string') });
  });

  it('merges readable and writable members, each with its own rules', () => {
    const [read, create, change] = [
      z.object({ id: z.string(), name: z.string() }),
      z.union([z.object({ name: z.string(), secret: z.string() }), z.object({ name: z.string(), hash: z.string() })]),
      z.object({ name: z.string().optional(), note: z.string().meta({ description: 'A note.' }) }),
    ].map(readSchema);
    const members = membersOf({
      read: [read ?? {}],
      written: [create ?? {}, change ?? {}],
      created: [create ?? {}],
    });
    expect(
      members.map(({ name, isReadable, isWriteable, isRequired }) =>
        [name, isReadable && 'read', isWriteable && 'written', isRequired && 'required'].filter(Boolean).join(' '),
      ),
    ).to.deep.equal(['id read', 'name read written required', 'secret written', 'hash written', 'note written']);
    expect(members.at(-1)?.description).to.equal('A note.');
  });
});
