import type { ApiError } from '@zonewright/api-description';
import { linkedDataDocuments, nothing, operationsOf, resourceClasses } from '@zonewright/api-description';
import { IdentityId, ProviderId, UserId, ZoneId } from '@zonewright/core';
import { scriptedProviders } from '@zonewright/memory';
import { expect } from 'chai';
import { errAsync } from 'neverthrow';
import { formats } from '../../src/http/negotiation.ts';
import { publicRoute } from '../../src/http/route.ts';
import { aVerifiedUser, type User } from '../support/arrange.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { routes } from '../support/route-table.ts';
import { serveRoutes } from '../support/served-routes.ts';
import { type Everything, everything } from './everything.ts';
import { readerOf } from './json-ld.ts';

type Linked = Readonly<Record<string, unknown>>;

const accept = 'application/ld+json';
const types = resourceClasses(operationsOf(routes)).map(({ type }) => type);
/** Types that are never the top level of a response. */
const listedOnly = [
  'AccountEvent',
  'ApiToken',
  'AuditEntry',
  'BehaviourChange',
  'Finding',
  'LinkedIdentity',
  'Passkey',
  'Session',
  'SignInProvider',
];
/** Types that no list contains. */
const neverListed = ['BehaviourChange', 'BehaviourDiff', 'Evaluation', 'Finding', 'Findings', 'RevisionDiff', 'User'];

describe('Linked data', () => {
  let service: MemoryService;
  let ada: User;
  let all: Everything;

  before(async () => {
    service = await openMemoryService({}, undefined, scriptedProviders());
    ada = await aVerifiedUser(service);
    await service.unitOfWork.run(({ identities }) =>
      identities.link({
        id: IdentityId.parse('0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e'),
        provider: ProviderId.parse('corp'),
        userId: UserId.parse(ada.id),
        issuer: 'https://corp.example',
        subject: '42',
        email: undefined,
      }),
    );
    all = await everything(service, ada);
  });
  after(() => service.close());

  /** Fetches the document and requires that expanding and compacting it preserves its meaning. */
  const expectWhole = async (path = 'missing') => {
    const reply = await ada.get(path, { accept });
    expect(reply.status, reply.text).to.equal(200);
    const document = reply.json() as Linked;
    expect(await readerOf(service.url).roundTrip(document)).to.deep.equal(document);
    return document;
  };

  for (const type of types.filter((each) => !listedOnly.includes(each))) {
    it(`expands an item of type ${type} without dropping a member`, async () => {
      const document = await expectWhole(all.items[type]);
      expect(document['@type']).to.equal(type);
      const [expanded] = await readerOf(service.url).expand(document);
      expect(expanded?.['@type']).to.deep.equal([`${service.url}/api/docs.jsonld#${type}`]);
    });
  }

  for (const type of types.filter((each) => !neverListed.includes(each))) {
    it(`expands a list of type ${type} without dropping a member`, async () => {
      const document = await expectWhole(all.lists[type]);
      expect(document['member']).to.be.an('array').that.is.not.empty;
      const [expanded] = await readerOf(service.url).expand(document);
      const hydra = 'http://www.w3.org/ns/hydra/core#';
      expect(expanded).to.include.keys(['member', 'totalItems', 'view', 'search'].map((name) => `${hydra}${name}`));
      expect(expanded?.['@type']).to.deep.equal([`${hydra}Collection`]);
    });
  }

  it('expands a token with its secret without dropping a member', async () => {
    const created = (await ada.post('/api/api-tokens', { name: 'fresh' }, { accept })).json() as Linked;
    expect(created).to.include.keys('plainToken');
    expect(await readerOf(service.url).roundTrip(created)).to.deep.equal(created);
  });

  it('distinguishes embedded rules from their zone', async () => {
    const zone = await expectWhole(all.items['Zone']);
    const [expanded] = await readerOf(service.url).expand(zone);
    const vocabulary = `${service.url}/api/docs.jsonld#`;
    expect(expanded?.[`${vocabulary}Zone/accessRules`])
      .to.have.nested.property('[0]')
      .that.includes.keys([`${vocabulary}AccessRule/name`, `${vocabulary}AccessRule/conditions`]);
  });

  it('maps the filters of a list to properties', async () => {
    const list = await expectWhole(all.lists['ConfigurationRule']);
    const expanded = JSON.stringify(await readerOf(service.url).expand(list));
    expect(expanded).to.include(
      `"http://www.w3.org/ns/hydra/core#property":[{"@id":"${service.url}/api/docs.jsonld#ConfigurationRule/name"}]`,
    );
  });

  it('has a template without an expression where a list has no filters', async () => {
    const list = await expectWhole(all.lists['Session']);
    expect(list['search']).to.deep.include({ template: '/api/users/me/sessions', mapping: [] });
  });

  it('expands a problem and a violation without dropping a member', async () => {
    const missing = await ada.get('/api/zones/none', { accept });
    const invalid = await ada.post('/api/zones', { name: '' }, { accept });
    for (const [reply, type] of [
      [missing, 'Error'],
      [invalid, 'ConstraintViolation'],
    ] as const) {
      const document = reply.json() as Linked;
      expect(document['@type']).to.equal(type);
      expect(await readerOf(service.url).roundTrip(document)).to.deep.equal(document);
    }
  });
});

describe('A problem with additional members', () => {
  const errors: Readonly<Record<string, ApiError>> = {
    usedBy: {
      type: 'BasicAuthUserInUse',
      zone: ZoneId.parse('0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e'),
      usedBy: { settings: true, rules: [] },
    },
    requestId: { type: 'InternalError' },
  };

  for (const [member, error] of Object.entries(errors)) {
    it(`expands with ${member}`, async () => {
      const failing = publicRoute({
        method: 'get',
        path: '/broken',
        cost: 'constant',
        summary: 'Fail.',
        answers: nothing,
        run: () => errAsync(error),
        present: () => ({}),
      });
      const broken = { ...failing, formats: formats.plainFirst };
      const documents = linkedDataDocuments([], { publicBaseUrl: 'http://service.example' });
      const served = await serveRoutes({ routes: [broken], documents: () => documents });
      try {
        const reply = await fetch(`${served.url}/broken`, { headers: { accept } });
        const document = (await reply.json()) as Linked;
        expect(document).to.include.keys(member);
        expect(await readerOf(served.url).roundTrip(document)).to.deep.equal(document);
      } finally {
        await served.close();
      }
    });
  }
});
