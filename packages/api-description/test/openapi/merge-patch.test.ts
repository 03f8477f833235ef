import { expect } from 'chai';
import type { Schema } from '../../src/openapi/json-schema.ts';
import { mergePatchOf } from '../../src/openapi/merge-patch.ts';

const text: Schema = { type: 'string' };
const patchOf = (schema: Schema): Schema => mergePatchOf(schema, (name) => name.replace('Input', 'Patch'));

describe('mergePatchOf', () => {
  const cases: readonly (readonly [what: string, whole: Schema, patch: Schema])[] = [
    [
      'requires no member, and accepts null for optional ones',
      { type: 'object', properties: { name: text, note: text }, required: ['name'] },
      { type: 'object', properties: { name: text, note: { type: ['string', 'null'] } } },
    ],
    [
      'has no defaults: omitted members stay unchanged',
      { type: 'object', properties: { note: { type: 'string', default: '', description: 'A note.' } } },
      { type: 'object', properties: { note: { type: ['string', 'null'], description: 'A note.' } } },
    ],
    [
      'patches objects within objects',
      {
        type: 'object',
        properties: { key: { type: 'object', properties: { uri: text }, required: ['uri'] } },
        required: ['key'],
      },
      { type: 'object', properties: { key: { type: 'object', properties: { uri: text } } } },
    ],
    [
      'replaces lists and their entries as a whole',
      {
        type: 'object',
        properties: { list: { type: 'array', items: { type: 'object', properties: { a: text }, required: ['a'] } } },
        required: ['list'],
      },
      {
        type: 'object',
        properties: { list: { type: 'array', items: { type: 'object', properties: { a: text }, required: ['a'] } } },
      },
    ],
    [
      'adds null to alternatives once',
      {
        type: 'object',
        properties: { a: { anyOf: [text, { type: 'integer' }] }, b: { anyOf: [text, { type: 'null' }] } },
      },
      {
        type: 'object',
        properties: {
          a: { anyOf: [text, { type: 'integer' }, { type: 'null' }] },
          b: { anyOf: [text, { type: 'null' }] },
        },
      },
    ],
    [
      'adds null next to an enum that lacks it',
      { type: 'object', properties: { tag: { type: 'string', enum: ['a'], description: 'A tag.' } } },
      {
        type: 'object',
        properties: { tag: { description: 'A tag.', anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] } },
      },
    ],
    [
      'refers to the patch of a named schema',
      {
        type: 'object',
        properties: { settings: { $ref: '#/components/schemas/SettingsInput' } },
        required: ['settings'],
      },
      { type: 'object', properties: { settings: { $ref: '#/components/schemas/SettingsPatch' } } },
    ],
    [
      'keeps rejecting unknown members',
      { type: 'object', properties: { name: text }, required: ['name'], additionalProperties: false },
      { type: 'object', properties: { name: text }, additionalProperties: false },
    ],
  ];
  for (const [what, whole, patch] of cases) {
    it(what, () => {
      expect(patchOf(whole)).to.deep.equal(patch);
    });
  }
});
