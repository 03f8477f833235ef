import type { Schema } from '@zonewright/api-description';
import { expect } from 'chai';
import { closedSchemas, openSchemas } from '../support/json-schemas.ts';
import { openApi, operations, successOf } from '../support/openapi.ts';

function expectValid(schema: Schema, value: unknown): void {
  const validates = closedSchemas().validatorOf(schema);
  validates(value);
  expect(validates.errors ?? [], JSON.stringify(value)).to.deep.equal([]);
}

describe('examples of the OpenAPI document', () => {
  const { schemas, responses } = openApi.components;
  const items = Object.entries(schemas).filter(([, { examples }]) => examples !== undefined);

  it('exist for every item in both flavours', () => {
    const linked = items.filter(([name]) => name.endsWith('.jsonld')).map(([name]) => name);
    expect(linked).to.include.members(['Zone.jsonld', 'ZoneDetails.jsonld', 'Profile.jsonld']);
    expect(items.map(([name]) => name)).to.have.members(linked.flatMap((name) => [name, name.replace('.jsonld', '')]));
  });

  for (const [name, { examples: [example] = [], ...schema }] of items) {
    it(`are valid: ${name}`, () => expectValid(schema, example));
  }

  for (const { name, operation } of operations.filter(({ operation: { requestBody } }) => requestBody !== undefined)) {
    it(`are valid and not empty: body of ${name}`, () => {
      const contents = Object.values(operation.requestBody?.content ?? {});
      expect(contents).to.not.be.empty;
      for (const { schema, example } of contents) {
        expectValid(schema, example);
        expect(example).to.not.be.empty;
      }
    });
  }

  it('are valid request bodies when returned, in each representation and flavour', () => {
    const typeOf = (name: string) => schemas[`${name.replace('.jsonld', '')}.jsonld`]?.properties?.['@type']?.const;
    const written = operations.flatMap(({ name, operation }) => {
      const [body] = Object.values(operation.requestBody?.content ?? {});
      const [answer] = Object.values(successOf(operation).content ?? {});
      const type = typeOf(answer?.schema.$ref?.replace(/.*\//, '') ?? '');
      const isWrite = /^(?:PATCH |POST (?!.*\/(?:move|accept|evaluation|rebase|restore|passkeys)$))/.test(name);
      return body === undefined || type === undefined || !isWrite ? [] : [{ name, schema: body.schema, type }];
    });
    expect(written.map(({ name }) => name)).to.include.members(['POST /api/zones', 'PATCH /api/zones/{id}']);
    for (const { name, schema, type } of written) {
      const forms = items.filter(([item]) => typeOf(item) === type);
      for (const [item, { examples: [example] = [] }] of forms) {
        const validates = openSchemas().validatorOf(schema);
        validates(example);
        expect(validates.errors ?? [], `${item} in ${name}`).to.deep.equal([]);
      }
    }
  });

  it('are valid: every kind of error', () => {
    for (const { content = {} } of Object.values(responses)) {
      for (const { schema, examples = {} } of Object.values(content)) {
        expect(examples).to.not.be.empty;
        for (const { value } of Object.values(examples)) expectValid(schema, value);
      }
    }
  });
});
