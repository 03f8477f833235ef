import { parseOpenApi3Documentation } from '@api-platform/api-doc-parser';
import { openApiDocument, operationsOf } from '@zonewright/api-description';
import { expect } from 'chai';
import { clientOf } from '../support/client.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { routes } from '../support/route-table.ts';

const openApiType = 'application/vnd.openapi+json';

describe('the served OpenAPI document', function () {
  this.timeout(60_000);
  let service: MemoryService;

  before(async () => {
    service = await openMemoryService();
  });
  after(() => service.close());

  for (const [path, headers] of [
    ['/api/docs.jsonopenapi', {}],
    ['/api/docs.jsonopenapi', { accept: 'application/json' }],
    ['/api/docs', { accept: openApiType }],
    ['/api/docs', { accept: `${openApiType}, text/html;q=0.9` }],
  ] as const) {
    it(`is public at ${path} with ${JSON.stringify(headers)}`, async () => {
      const reply = await clientOf(service.url).get(path, headers);
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('content-type')).to.equal(`${openApiType}; charset=utf-8`);
      const document = openApiDocument(operationsOf(routes), { publicBaseUrl: service.url });
      expect(reply.json()).to.deep.equal(JSON.parse(JSON.stringify(document)));
    });
  }

  it('is a page at /api/docs for people', async () => {
    const { headers } = await clientOf(service.url).get('/api/docs', { accept: 'text/html,*/*;q=0.8' });
    expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
  });

  it('answers 304 to matching conditional requests', async () => {
    const client = clientOf(service.url);
    const tag = (await client.get('/api/docs.jsonopenapi')).headers.get('etag') ?? '';
    const again = await client.get('/api/docs.jsonopenapi', { 'if-none-match': tag });
    expect({ status: again.status, text: again.text }).to.deep.equal({ status: 304, text: '' });
  });

  describe('read by api-doc-parser', () => {
    let resources: readonly Resource[];
    const resource = (name: string): Resource =>
      resources.find((each) => each.name === name) ?? expect.fail(`no resource ${name}`);

    before(async () => {
      const { api } = await parseOpenApi3Documentation(`${service.url}/api/docs`);
      resources = (api.resources ?? []) as readonly Resource[];
    });

    it('has the top-level resources with their addresses', () => {
      expect(resources.map(({ name, title, url }) => [name, title, url])).to.deep.equal([
        ['users', 'User', `${service.url}/api/users`],
        // They can be changed, but not read one by one.
        ['passkeys', 'Passkey', `${service.url}/api/passkeys`],
        ['organizations', 'Organization', `${service.url}/api/organizations`],
        ['zones', 'Zone', `${service.url}/api/zones`],
        // Documents of edges: the parser knows only one server for all operations.
        ['documents', 'Document', `${service.url}/api/documents`],
      ]);
    });

    it('has the operations of a zone', () => {
      const types = resource('zones').operations.map(({ type, method }) => `${type}: ${method}`);
      expect(types).to.have.members(['show: GET', 'edit: PATCH', 'delete: DELETE', 'list: GET', 'create: POST']);
    });

    it('has the fields of a zone, and marks writable ones', () => {
      const { fields, writableFields } = resource('zones');
      const namesOf = (list: Resource['fields']) => list.map(({ name }) => name);
      expect(namesOf(fields)).to.include.members(['id', 'name', 'tag', 'organization', 'zone_settings', 'banToken']);
      expect(namesOf(writableFields)).to.have.members(['name', 'tag', 'hostnames', 'organization', 'zone_settings']);
      expect(fields.find(({ name }) => name === 'tag')?.enum).to.deep.equal({
        Prod: 'prod',
        Stage: 'stage',
        Dev: 'dev',
      });
      expect(fields.find(({ name }) => name === 'organization')?.reference?.title).to.equal('Organization');
    });

    it('has the parameters of the list of zones', () => {
      const names = resource('zones').parameters.map(({ variable }) => variable);
      expect(names).to.include.members(['page', 'itemsPerPage', 'organization', 'tag', 'tag[]', 'order[name]']);
    });
  });
});

/** The part of a resource that is checked. */
interface Resource {
  readonly name: string;
  readonly title: string;
  readonly url: string;
  readonly fields: readonly Field[];
  readonly writableFields: readonly Field[];
  readonly operations: readonly { readonly type: string; readonly method: string }[];
  readonly parameters: readonly { readonly variable: string }[];
}

interface Field {
  readonly name: string;
  readonly enum: Readonly<Record<string, unknown>> | null;
  readonly reference: { readonly title: string } | null;
}
