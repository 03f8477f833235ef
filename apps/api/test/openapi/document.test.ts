import { readFileSync } from 'node:fs';
import { validate } from '@readme/openapi-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { openSchemas } from '../support/json-schemas.ts';
import { openApi, operations, resolved } from '../support/openapi.ts';
import { routes } from '../support/route-table.ts';

const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;

const operationNamed = (name: string) => {
  const found = operations.find((each) => each.name === name);
  return found?.operation ?? expect.fail(`no ${name}`);
};

describe('openApiDocument', function () {
  this.timeout(30_000);

  it('is valid against the JSON Schema of OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(
      await validator.validate(structuredClone(openApi) as object as Parameters<typeof validator.validate>[0]),
    ).to.deep.equal({ valid: true });
    expect(validator.version).to.equal('3.1');
  });

  it('is valid for a parser that resolves references and compares paths with parameters', async () => {
    const outcome = await validate(structuredClone(openApi) as object as Parameters<typeof validate>[0]);
    expect(outcome).to.deep.include({ valid: true, warnings: [] });
  });

  it('describes every operation', () => {
    const silent = operations.filter(({ operation }) => (operation.description ?? '') === '');
    expect(silent.map(({ name }) => name)).to.deep.equal([]);
  });

  it('has patterns for texts only: on numbers, generators take them for methods that numbers lack', () => {
    const patterned = JSON.stringify(openApi).match(/\{[^{}]*"pattern":[^{}]*\}/g) ?? [];
    expect(patterned).to.not.deep.equal([]);
    expect(patterned.filter((schema) => /"type":"(?:integer|number)"/.test(schema))).to.deep.equal([]);
  });

  it('has no example of a key or entity tag that a generated collection would repeat with every request', () => {
    const { IdempotencyKey, IfMatch, IfMatchRequired } = openApi.components.parameters;
    expect([IdempotencyKey, IfMatch, IfMatchRequired].map((parameter) => parameter?.schema.examples)).to.deep.equal([
      undefined,
      undefined,
      ['*'],
    ]);
  });

  it('contains valid JSON Schema with known keywords and formats only', () => {
    for (const [name, schema] of Object.entries(openApi.components.schemas)) {
      expect(() => openSchemas().validatorOf(schema), name).not.to.throw();
    }
  });

  it('has every route of the table, and nothing else', () => {
    expect(operations.map(({ name }) => name)).to.have.members(routes.map(nameOf));
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      readonly version: string;
    };
    expect(openApi.info.version).to.equal(version);
  });

  it('has paths relative to its only server', () => {
    expect(openApi.servers).to.deep.equal([{ url: 'https://api.example.com/api' }]);
    expect(Object.keys(openApi.paths).filter((path) => path.startsWith('/api/'))).to.deep.equal([]);
  });

  it('assigns every operation to one described tag', () => {
    const described = openApi.tags.map(({ name }) => name);
    expect(new Set(described).size).to.equal(described.length);
    expect(new Set(operations.flatMap(({ operation: { tags } }) => tags))).to.deep.equal(new Set(described));
    expect(described).not.to.include('Other');
  });

  it('describes every member of every schema', () => {
    const silent = Object.entries(openApi.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).flatMap(([member, schema]) => {
        const reported = schema.description ?? resolved(schema).description;
        return reported === undefined && !member.startsWith('@') ? [`${name}.${member}`] : [];
      }),
    );
    expect(silent).to.deep.equal([]);
  });

  it('describes every parameter', () => {
    const silent = operations.flatMap(({ name, operation: { parameters } }) =>
      parameters.map(resolved).flatMap((each) => ('description' in each ? [] : [`${name} ${each.name}`])),
    );
    expect(silent).to.deep.equal([]);
  });
});

describe('an operation of the OpenAPI document', () => {
  const parametersOf = (name: string, place: string): readonly string[] =>
    operationNamed(name)
      .parameters.map(resolved)
      .filter((each) => each.in === place)
      .map((each) => `${each.name}${each.required ? '!' : ''}`);

  for (const [name, place, expected] of [
    [
      'GET /api/zones',
      'query',
      [
        'page',
        'itemsPerPage',
        'organization',
        'q',
        'hostname',
        'tag',
        'tag[]',
        'order[name]',
        'order[tag]',
        'order[createdAt]',
        'order[updatedAt]',
      ],
    ],
    ['GET /api/zones', 'header', ['If-None-Match', 'X-Request-Id']],
    ['POST /api/zones', 'header', ['Idempotency-Key', 'X-Request-Id']],
    ['PATCH /api/zones/{id}', 'header', ['If-Match', 'X-Request-Id']],
    ['PUT /api/zones/{zoneId}/rewrite-rules', 'header', ['If-Match!', 'X-Request-Id']],
    ['POST /api/zones/{zoneId}/rewrite-rules/{id}/move', 'header', ['If-Match', 'Idempotency-Key', 'X-Request-Id']],
    ['POST /api/zones/{zoneId}/rewrite-rules/{id}/move', 'path', ['zoneId!', 'id!']],
    ['DELETE /api/users/me/sessions/{id}', 'header', ['X-Request-Id']],
    ['POST /api/auth/refresh', 'cookie', ['__Secure-refresh_token']],
    ['POST /api/auth/2fa', 'cookie', ['mfa_pending']],
    ['GET /api/users/me', 'cookie', []],
  ] as const) {
    it(`${name} has the ${place} parameters: ${expected.join(', ') || 'none'}`, () => {
      expect(parametersOf(name, place)).to.deep.equal(expected);
    });
  }

  it('describes typed query parameters, not strings', () => {
    const page = operationNamed('GET /api/zones').parameters.map(resolved).slice(0, 3);
    expect(page.map(({ schema }) => schema)).to.deep.equal([
      { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 },
      { type: 'integer', minimum: 0, maximum: 100, default: 30 },
      { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
    ]);
  });

  for (const [name, statuses] of [
    ['POST /api/auth/login', '200 400 401 403 406 413 415 429 500 503'],
    ['POST /api/auth/logout', '200 400 401 403 406 413 415 429 500 503'],
    ['GET /api/users/me', '200 304 400 401 403 404 406 412 429 500 503'],
    ['GET /api/zones', '200 304 400 401 403 406 412 422 429 500 503'],
    ['POST /api/zones', '201 400 401 403 404 406 413 415 422 429 500 503'],
    ['DELETE /api/zones/{id}', '204 400 401 403 404 412 429 500 503'],
    ['PUT /api/zones/{zoneId}/access-rules', '200 400 401 403 404 406 412 413 415 422 428 429 500 503'],
  ] as const) {
    it(`${name} answers ${statuses}`, () => {
      expect(Object.keys(operationNamed(name).responses).join(' ')).to.equal(statuses);
    });
  }

  it('describes who may call', () => {
    const securityOf = (name: string) => operationNamed(name).security.map((each) => Object.keys(each).join());
    expect(securityOf('POST /api/auth/login')).to.deep.equal([]);
    expect(securityOf('POST /api/auth/logout')).to.deep.equal(['', 'bearer', 'sessionCookie']);
    expect(securityOf('POST /api/api-tokens')).to.deep.equal(['bearer', 'sessionCookie']);
    const tokensOf = (name: string) =>
      operationNamed(name).security.flatMap(({ apiToken }) => (apiToken ? [apiToken] : []));
    expect(tokensOf('GET /api/zones')).to.deep.equal([['zones:read'], ['zones:write']]);
    expect(securityOf('GET /api/users/me')).to.deep.equal(['bearer', 'sessionCookie', 'apiToken']);
    expect(securityOf('DELETE /api/organizations/{id}')).to.deep.equal(['bearer', 'sessionCookie']);
  });

  it('has both flavours of items and lists, the default first', () => {
    const contentOf = (name: string) =>
      Object.entries(resolved(operationNamed(name).responses['200'] ?? { $ref: '' }).content ?? {}).map(
        ([type, { schema }]) => [type, schema.$ref ?? schema.items?.$ref],
      );
    expect(contentOf('GET /api/zones/{id}')).to.deep.equal([
      ['application/json', '#/components/schemas/ZoneDetails'],
      ['application/ld+json', '#/components/schemas/ZoneDetails.jsonld'],
    ]);
    expect(contentOf('GET /api/zones')).to.deep.equal([
      ['application/json', '#/components/schemas/Zone'],
      ['application/ld+json', '#/components/schemas/ZoneCollection.jsonld'],
    ]);
    expect(contentOf('GET /api/zones/{zoneId}/basic-auth-users')).to.deep.equal([
      ['application/ld+json', '#/components/schemas/BasicAuthUserCollection.jsonld'],
      ['application/json', '#/components/schemas/BasicAuthUserCollection'],
    ]);
  });
});
