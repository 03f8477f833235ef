import { expect } from 'chai';
import { aMember, aRule, aVerifiedUser, aZone, type User, type ZoneBody } from './support/arrange.ts';
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

  describe('entity tags', () => {
    const zonesOf = async (owner: User, headers: Readonly<Record<string, string>> = {}, query = '') => {
      const reply = await owner.get(`/api/zones${query}`, headers);
      return { status: reply.status, tag: reply.headers.get('etag') ?? '', text: reply.text };
    };

    it('change after a zone is created, changed or deleted', async () => {
      const owner = await aVerifiedUser(service);
      const zone = await aZone(owner);
      let { tag } = await zonesOf(owner);
      const changes = [() => aZone(owner), () => aRule(owner, zone), () => owner.delete(`/api/zones/${zone.id}`)];
      for (const change of changes) {
        await change();
        const changed = await zonesOf(owner, { 'if-none-match': tag });
        expect(changed.status).to.equal(200);
        expect(changed.tag).not.to.equal(tag);
        ({ tag } = changed);
      }
    });

    it('differ between the flavours, and when only the total differs', async () => {
      const owner = await aVerifiedUser(service);
      const { tag } = await zonesOf(owner);
      const linked = await zonesOf(owner, { accept: 'application/ld+json' });
      const empty = await zonesOf(owner, {}, '?itemsPerPage=0');
      await aZone(owner);
      const counted = await zonesOf(owner, { 'if-none-match': empty.tag }, '?itemsPerPage=0');
      expect([counted.status, counted.text]).to.deep.equal([200, '[]']);
      expect(new Set([tag, linked.tag, counted.tag]).size).to.equal(3);
    });

    it('differ between callers who see ban tokens and those who do not', async () => {
      const owner = await aVerifiedUser(service);
      await aZone(owner);
      const viewer = await aMember(service, owner, 'viewer');
      const query = `?organization=${owner.organization}`;
      const { tag } = await zonesOf(owner, {}, query);
      const seen = await zonesOf(viewer, { 'if-none-match': tag }, query);
      expect(seen.status).to.equal(200);
      expect(seen.tag).not.to.equal(tag);
    });
  });

  describe('page and itemsPerPage', () => {
    const names = ['50% off', 'Alpha', 'bravo', 'bravo_1', 'charlie'];
    const page = (query: string) => list(`order[name]=asc&${query}`);

    it('split the list into pages', async () => {
      expect(namesIn(await page('itemsPerPage=2'))).to.deep.equal(names.slice(0, 2));
      expect(namesIn(await page('itemsPerPage=2&page=2'))).to.deep.equal(names.slice(2, 4));
      expect(namesIn(await page('itemsPerPage=2&page=3'))).to.deep.equal(names.slice(4));
      expect(namesIn(await page('itemsPerPage=2&page=4'))).to.deep.equal([]);
    });

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

    it('treat more than 100 items as 100', async () => {
      const reply = await list('itemsPerPage=1000', { accept: 'application/ld+json' });
      expect((reply.json() as Collection).member).to.have.length(5);
      expect((await list('itemsPerPage=900719925474099')).status).to.equal(200);
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

    for (const [query, violation] of [
      ['page=0', 'page: number.range'],
      ['page=-1', 'page: number.range'],
      ['page=abc', 'page: query.integer'],
      ['page=', 'page: query.integer'],
      ['page=1.5', 'page: query.integer'],
      ['page=0x10', 'page: query.integer'],
      ['page=1000001', 'page: number.range'],
      ['page=99999999999999999999', 'page: query.integer'],
      ['page[]=1', undefined],
      ['itemsPerPage=-1', 'itemsPerPage: number.range'],
      ['itemsPerPage=abc', 'itemsPerPage: query.integer'],
      ['itemsPerPage=', 'itemsPerPage: query.integer'],
      ['itemsPerPage=1e1', 'itemsPerPage: query.integer'],
    ] as const) {
      if (violation === undefined) {
        it(`ignore ${query}, which is another parameter`, async () => {
          expect(namesIn(await list(query))).to.have.length(5);
        });
      } else {
        it(`answer 400 to ${query}`, async () => {
          expectProblem(await list(query), 400, 'invalid-query', [violation]);
        });
      }
    }
  });

  describe('q', () => {
    const found = async (q: string) => namesIn(await list(`order[name]=asc&q=${encodeURIComponent(q)}`));

    it('matches substrings of names, ignoring case', async () => {
      expect(await found('BRAVO')).to.deep.equal(['bravo', 'bravo_1']);
      expect(await found('lph')).to.deep.equal(['Alpha']);
      expect(await found('nothing like this')).to.deep.equal([]);
    });

    it('answers 400 to more than 255 characters, and to U+0000', async () => {
      expectProblem(await list(`q=${'a'.repeat(256)}`), 400, 'invalid-query', ['q: text.tooLong']);
      expectProblem(await list('q=a%00b'), 400, 'invalid-query', ['q: text.control']);
      expect((await list(`q=${'a'.repeat(255)}`)).status).to.equal(200);
    });
  });

  describe('tag', () => {
    const tagged = (query: string) => list(`order[name]=asc&${query}`);

    it('accepts one tag, and several as tag[], tag[0] or both', async () => {
      expect(namesIn(await tagged('tag=prod'))).to.deep.equal(['50% off', 'charlie']);
      expect(namesIn(await tagged('tag[]=dev'))).to.deep.equal(['Alpha', 'bravo']);
      const devAndStage = ['Alpha', 'bravo', 'bravo_1'];
      expect(namesIn(await tagged('tag[]=dev&tag[]=stage'))).to.deep.equal(devAndStage);
      expect(namesIn(await tagged('tag[0]=dev&tag[1]=stage'))).to.deep.equal(devAndStage);
      expect(namesIn(await tagged('tag%5B%5D=dev&tag%5B%5D=stage'))).to.deep.equal(devAndStage);
      expect(namesIn(await tagged('tag=dev&tag[]=stage'))).to.deep.equal(devAndStage);
      expect((await tagged('tag=dev')).headers.get('x-total-count')).to.equal('2');
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
    const sorted = {
      name: ['50% off', 'Alpha', 'bravo', 'bravo_1', 'charlie'],
      createdAt: ['charlie', 'Alpha', 'bravo_1', '50% off', 'bravo'],
    };
    before(() =>
      // Two creations may share a millisecond.
      service.inTables(({ zones }) => {
        for (const [index, zoneName] of sorted.createdAt.entries()) {
          const after = (seconds: number) => new Date(Date.now() + seconds * 1000);
          changeRows(zones, ({ name }) => name === zoneName, { createdAt: after(index), updatedAt: after(-index) });
        }
      }),
    );
    const tagOf = (name: string) => zones.find((zone) => zone.name === name)?.tag;

    for (const [value, arranged] of [
      ['asc', (names: readonly string[]) => names],
      ['ASC', (names: readonly string[]) => names],
      ['desc', (names: readonly string[]) => names.toReversed()],
      ['DESC', (names: readonly string[]) => names.toReversed()],
    ] as const) {
      it(`sorts by name, tag, createdAt and updatedAt: ${value}`, async () => {
        expect(namesIn(await list(`order[name]=${value}`))).to.deep.equal(arranged(sorted.name));
        expect(namesIn(await list(`order[createdAt]=${value}`))).to.deep.equal(arranged(sorted.createdAt));
        expect(namesIn(await list(`order[updatedAt]=${value}`))).to.deep.equal(arranged(sorted.createdAt.toReversed()));
        expect(namesIn(await list(`order[tag]=${value}`)).map(tagOf)).to.deep.equal(
          arranged(['dev', 'dev', 'prod', 'prod', 'stage']),
        );
      });
    }

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
    for (const [value, code] of [
      ['abc', 'query.integer'],
      ['', 'query.integer'],
      ['1%20OR%201=1', 'query.integer'],
      ['/api/organizations/1', 'query.integer'],
      ['0', 'number.range'],
      ['-1', 'number.range'],
      ['2147483648', 'number.range'],
    ] as const) {
      it(`answers 400 to organization=${value}`, async () => {
        expectProblem(await list(`organization=${value}`), 400, 'invalid-query', [`organization: ${code}`]);
      });
    }
  });

  it('reports all malformed parameters at once', async () => {
    expectProblem(await list('page=x&itemsPerPage=-1&organization=y&tag=z'), 400, 'invalid-query', [
      'page: query.integer',
      'itemsPerPage: number.range',
      'organization: query.integer',
    ]);
  });

  it('ignores unknown parameters', async () => {
    expect(namesIn(await list('foo=1&foo[]=2&__proto__=x&constructor=y&pagination=false'))).to.have.length(5);
  });

  it('answers 400 to a repeated page', async () => {
    expectProblem(await list('page=1&page=2'), 400, 'invalid-query', ['page: query.repeated']);
  });
});
