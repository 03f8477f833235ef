import { expect } from 'chai';
import { aMember, aVerifiedUser, aZone, type User, type ZoneBody } from './support/arrange.ts';
import { expectProblem, type Reply } from './support/client.ts';
import { withDocumentation } from './support/documentation-link.ts';
import { changeRows, type MemoryService, openMemoryService } from './support/memory-service.ts';

const namesIn = (reply: Reply): string[] => {
  expect(reply.status, reply.text).to.equal(200);
  return (reply.json() as readonly ZoneBody[]).map(({ name }) => name);
};

interface Collection {
  readonly '@id': string;
  readonly totalItems: number;
  readonly member: readonly ZoneBody[];
  readonly view: Readonly<Record<string, string>>;
  readonly search: unknown;
}

describe('GET /api/zones', () => {
  let service: MemoryService;
  let lister: User;
  let other: User;
  let zones: readonly ZoneBody[];

  before(async () => {
    service = await openMemoryService();
    lister = await aVerifiedUser(service);
    other = await aVerifiedUser(service);
    const made: ZoneBody[] = [];
    for (const [name, tag] of [
      ['charlie', 'prod'],
      ['Alpha', 'dev'],
      ['bravo_1', 'stage'],
      ['50% off', 'prod'],
      ['bravo', 'dev'],
    ]) {
      made.push(await aZone(lister, { name, tag }));
    }
    zones = made;
    await aZone(other, { name: 'not mine' });
  });

  after(() => service.close());

  const list = (query = '', headers: Readonly<Record<string, string>> = {}) =>
    lister.get(`/api/zones${query === '' ? '' : `?${query}`}`, headers);

  it('answers 200 with a bare array of zones with their full settings, oldest first', async () => {
    const reply = await list();
    expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(reply.json()).to.deep.equal(zones);
    expect(reply.headers.get('x-total-count')).to.equal('5');
    expect(reply.headers.get('cache-control')).to.equal('private, no-cache');
  });

  it('answers 200 with a collection as linked data', async () => {
    const reply = await list('itemsPerPage=2&order[name]=asc', { accept: 'application/ld+json' });
    expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
    const { member, search, ...collection } = reply.json() as Collection;
    const at = (page: number) => `/api/zones?itemsPerPage=2&order%5Bname%5D=asc&page=${page}`;
    expect(collection).to.deep.equal({
      '@context': '/api/contexts/Zone',
      '@id': '/api/zones',
      '@type': 'Collection',
      totalItems: 5,
      view: { '@id': at(1), '@type': 'PartialCollectionView', first: at(1), last: at(3), next: at(2) },
    });
    const [first] = zones.filter(({ name }) => name === '50% off');
    expect(member).to.have.length(2);
    expect(member[0]).to.deep.equal({ '@id': `/api/zones/${first?.id}`, '@type': 'Zone', ...first });
    const mapping = (variable: string, property: string) => ({
      '@type': 'IriTemplateMapping',
      variable,
      property,
      required: false,
    });
    expect(search).to.deep.equal({
      '@type': 'IriTemplate',
      template:
        '/api/zones{?organization,q,hostname,tag,tag[],order[name],order[tag],order[createdAt],order[updatedAt]}',
      variableRepresentation: 'BasicRepresentation',
      mapping: [
        mapping('organization', 'organization'),
        mapping('q', 'name'),
        mapping('hostname', 'hostnames'),
        mapping('tag', 'tag'),
        mapping('tag[]', 'tag'),
        mapping('order[name]', 'name'),
        mapping('order[tag]', 'tag'),
        mapping('order[createdAt]', 'createdAt'),
        mapping('order[updatedAt]', 'updatedAt'),
      ],
    });
  });

  it('writes the members of collection and view in the expected order', async () => {
    const reply = await list('itemsPerPage=2&page=2', { accept: 'application/ld+json' });
    const collection = reply.json() as Collection;
    expect(Object.keys(collection)).to.deep.equal([
      '@context',
      '@id',
      '@type',
      'totalItems',
      'member',
      'view',
      'search',
    ]);
    expect(Object.keys(collection.view)).to.deep.equal(['@id', '@type', 'first', 'last', 'previous', 'next']);
  });

  it('answers 200 with another entity tag to callers who do not see ban tokens', async () => {
    const viewer = await aMember(service, lister, 'viewer');
    const path = `/api/zones?organization=${lister.organization}`;
    const tag = (await lister.get(path)).headers.get('etag') ?? '';
    const { status, headers } = await viewer.get(path, { 'if-none-match': tag });
    expect(status).to.equal(200);
    expect(headers.get('etag')).not.to.equal(tag);
  });

  describe('page and itemsPerPage', () => {
    it('link to the pages, keeping other parameters', async () => {
      const reply = await list('tag[0]=prod&page=2&tag[1]=dev&itemsPerPage=1&q=a%26b%20c');
      const at = (number: number) =>
        `</api/zones?tag%5B%5D=prod&tag%5B%5D=dev&itemsPerPage=1&q=a%26b%20c&page=${number}>`;
      expect(reply.headers.get('link')).to.equal(
        withDocumentation(service, `${at(1)}; rel="first", ${at(1)}; rel="prev", ${at(1)}; rel="last"`),
      );
    });

    it('link to first, prev, next and last in the middle of a list', async () => {
      const at = (number: number) => `</api/zones?itemsPerPage=2&page=${number}>`;
      expect((await list('itemsPerPage=2&page=2')).headers.get('link')).to.equal(
        withDocumentation(
          service,
          `${at(1)}; rel="first", ${at(1)}; rel="prev", ${at(3)}; rel="next", ${at(3)}; rel="last"`,
        ),
      );
    });

    it('return no items and the right total for itemsPerPage=0', async () => {
      const reply = await list('itemsPerPage=0');
      expect(reply.text).to.equal('[]');
      expect(reply.headers.get('x-total-count')).to.equal('5');
      const linked = (await list('itemsPerPage=0', { accept: 'application/ld+json' })).json() as Collection;
      expect(linked).to.deep.include({ totalItems: 5, member: [] });
      const only = '/api/zones?itemsPerPage=0&page=1';
      expect(linked.view).to.deep.equal({
        '@id': only,
        '@type': 'PartialCollectionView',
        first: only,
        last: only,
      });
    });

    it('answer 400 to anything but numbers in range', async () => {
      for (const [query, violation] of [
        ['page=0', 'page: number.range'],
        ['page=-1', 'page: number.range'],
        ['page=abc', 'page: query.integer'],
        ['page=', 'page: query.integer'],
        ['page=1.5', 'page: query.integer'],
        ['page=0x10', 'page: query.integer'],
        ['page=1000001', 'page: number.range'],
        ['page=99999999999999999999', 'page: query.integer'],
        ['page=1&page=2', 'page: query.repeated'],
        ['itemsPerPage=-1', 'itemsPerPage: number.range'],
        ['itemsPerPage=', 'itemsPerPage: query.integer'],
        ['itemsPerPage=1e1', 'itemsPerPage: query.integer'],
      ] as const) {
        expectProblem(await list(query), 400, 'invalid-query', [violation]);
      }
      expect((await list('itemsPerPage=900719925474099')).status).to.equal(200);
    });
  });

  it('answers 400 to a q of more than 255 characters, and to U+0000', async () => {
    expectProblem(await list(`q=${'a'.repeat(256)}`), 400, 'invalid-query', ['q: text.tooLong']);
    expectProblem(await list('q=a%00b'), 400, 'invalid-query', ['q: text.control']);
    expect((await list(`q=${'a'.repeat(255)}`)).status).to.equal(200);
  });

  describe('tag', () => {
    const tagged = (query: string) => list(`order[name]=asc&${query}`);

    it('is one tag, or several as tag[], tag[0] or both', async () => {
      expect(namesIn(await tagged('tag=prod'))).to.deep.equal(['50% off', 'charlie']);
      for (const query of ['tag[]=dev&tag[]=stage', 'tag[0]=dev&tag%5B1%5D=stage', 'tag=dev&tag[]=stage']) {
        expect(namesIn(await tagged(query)), query).to.deep.equal(['Alpha', 'bravo', 'bravo_1']);
      }
    });

    it('answers 400 to a repeated tag without brackets', async () => {
      expectProblem(await tagged('tag=dev&tag=stage'), 400, 'invalid-query', ['tag: query.repeated']);
    });

    it('answers 422 to an unknown tag', async () => {
      expectProblem(await tagged('tag=test'), 422, 'validation-failed', ['tag: value.choice']);
      expectProblem(await tagged('tag='), 422, 'validation-failed', ['tag: value.choice']);
      expectProblem(await tagged('tag[]=dev&tag[]=test'), 422, 'validation-failed', ['tag[][1]: value.choice']);
    });
  });

  describe('order', () => {
    it('accepts name, tag, createdAt and updatedAt, upwards and downwards, in either case', async () => {
      const byName = ['50% off', 'Alpha', 'bravo', 'bravo_1', 'charlie'];
      // Two creations may share a millisecond.
      service.inTables((tables) => {
        for (const [index, { id }] of zones.entries()) {
          const after = (seconds: number) => new Date(Date.now() + seconds * 1000);
          changeRows(tables.zones, (row) => row.id === id, { createdAt: after(index), updatedAt: after(-index) });
        }
      });
      const byAge = zones.map(({ name }) => name);
      for (const [query, names] of [
        ['order[name]=asc', byName],
        ['order[name]=DESC', byName.toReversed()],
        ['order[createdAt]=asc', byAge],
        ['order[updatedAt]=desc', byAge],
      ] as const) {
        expect(namesIn(await list(query)), query).to.deep.equal(names);
      }
      const byTag = (await list('order[tag]=ASC')).json() as readonly ZoneBody[];
      expect(byTag.map(({ tag }) => tag)).to.deep.equal(['dev', 'dev', 'prod', 'prod', 'stage']);
    });

    it('answers 422 to other directions', async () => {
      for (const key of ['name', 'tag', 'createdAt', 'updatedAt']) {
        for (const value of ['', 'up', 'Asc', 'asc;DROP', '1']) {
          const reply = await list(`order[${key}]=${encodeURIComponent(value)}`);
          expectProblem(reply, 422, 'validation-failed', [`order[${key}]: value.choice`]);
        }
      }
    });

    it('answers 400 to a repeated key, and ignores unknown ones', async () => {
      expectProblem(await list('order[name]=asc&order[name]=desc'), 400, 'invalid-query', [
        'order[name]: query.repeated',
      ]);
      expect(namesIn(await list('order[id]=asc&order=up'))).to.have.length(5);
    });
  });

  describe('organization', () => {
    it('answers 400 to anything but an id', async () => {
      for (const [value, code] of [
        ['abc', 'query.integer'],
        ['', 'query.integer'],
        ['1%20OR%201=1', 'query.integer'],
        ['/api/organizations/1', 'query.integer'],
        ['0', 'number.range'],
        ['2147483648', 'number.range'],
      ] as const) {
        expectProblem(await list(`organization=${value}`), 400, 'invalid-query', [`organization: ${code}`]);
      }
    });
  });

  it('reports all malformed parameters at once', async () => {
    expectProblem(await list('page=x&itemsPerPage=-1&organization=y&tag=z'), 400, 'invalid-query', [
      'page: query.integer',
      'itemsPerPage: number.range',
      'organization: query.integer',
    ]);
  });

  it('ignores unknown parameters', async () => {
    expect(namesIn(await list('foo=1&foo[]=2&page[]=9&__proto__=x&constructor=y&pagination=false'))).to.have.length(5);
  });
});
