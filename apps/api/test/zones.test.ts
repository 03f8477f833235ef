import { expect } from 'chai';
import { aMember, aRule, aVerifiedUser, aZone, type RuleBody, type User, type ZoneBody } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The default settings of a zone. */
const defaultSettings = {
  enabled: true,
  basicAuth: { enabled: false, allowedUserIds: [] },
  securityEnabled: true,
  customPagesMaintenanceActive: false,
  processingSsi: false,
  processingEsi: false,
  minifyHtml: false,
  debugHeadersEnabled: false,
  cachingDynamicEnabled: false,
  cachingStaticEnabled: false,
  cachingRespectCacheControl: true,
  cachingManagedIgnoredUrlParamsEnabled: true,
  cachingDynamicCacheKey: {
    uri: true,
    varyByHostname: true,
    varyByCookie: [],
    varyByCountry: false,
    varyByHeader: [],
  },
  cachingStaticCacheKey: { uri: true, varyByHostname: true, varyByQueryString: [] },
  cachingDefaultTtl: 604_800,
  cachingIgnoredUrlParams: [],
  cachingIgnoredCacheTags: [],
  cachingAdditionalContentTypes: [],
  cachingCustomCacheTagHeaders: [
    { header: 'X-Cache-Tags', delimiter: ',' },
    { header: 'Cache-Tag', delimiter: ',' },
    { header: 'Surrogate-Key', delimiter: ' ' },
    { header: 'xkey', delimiter: ' ' },
    { header: 'X-Magento-Tags', delimiter: ',' },
  ],
  stripCacheTagHeaders: true,
  headersRequestSet: [],
  headersResponseSet: [],
  headersResponseAdd: [],
  headersResponseRemove: [],
  imageOptimizationEnabled: true,
  imageOptimizationWebpEnabled: true,
  imageOptimizationAvifEnabled: true,
  imageOptimizationJpegEnabled: false,
  imageOptimizationPngEnabled: false,
  imageOptimizationAvifQuality: 50,
  imageOptimizationWebpQuality: 50,
  imageOptimizationJpegQualityTarget: 85,
  imageOptimizationJpegQualityMin: 40,
  imageOptimizationJpegQualityMax: 98,
  imageOptimizationPngQualityMin: 65,
  imageOptimizationPngQualityMax: 80,
  underAttack: false,
  customPagesErrorEnabled: false,
  customPagesSecurityEnabled: false,
  customPagesChallengeEnabled: false,
  staleWhileRevalidateSeconds: 0,
  staleIfErrorSeconds: 0,
};

describe('Zones', () => {
  let service: MemoryService;
  let ada: User;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  describe('POST /api/zones', () => {
    const create = (body: unknown) => ada.post('/api/zones', body);

    it('answers 201 with the zone and its full settings, all defaults', async () => {
      const reply = await create({ name: '  www.example.com  ' });
      expect(reply.status).to.equal(201);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      const { id, banToken, createdAt, updatedAt, ...zone } = reply.json() as ZoneBody;
      expect(zone).to.deep.equal({
        name: 'www.example.com',
        tag: 'prod',
        hostnames: [],
        organization: `/api/organizations/${ada.organization}`,
        createdBy: `/api/users/${ada.id}`,
        zone_settings: defaultSettings,
      });
      expect(id).to.match(uuid);
      expect(banToken).to.match(/^ban_[0-9A-Za-z]{36}$/);
      expect(createdAt).to.match(timestamp);
      expect(updatedAt).to.equal(createdAt);
      expect(reply.headers.get('location')).to.equal(`/api/zones/${id}`);
    });

    it('returns what was written at Location', async () => {
      const reply = await create({ name: 'there and back', tag: 'stage' });
      const read = await ada.get(reply.headers.get('location') ?? '');
      expect(read.json()).to.deep.include(reply.json());
    });

    it('applies the settings in the body and defaults for the rest', async () => {
      const zone_settings = {
        cachingCustomCacheTagHeaders: [],
        imageOptimizationWebpQuality: 70,
        cachingStaticCacheKey: { varyByHostname: false },
        backendPortOverride: null,
      };
      const zone = await aZone(ada, { zone_settings });
      expect(zone.zone_settings).to.deep.equal({
        ...defaultSettings,
        cachingCustomCacheTagHeaders: [],
        imageOptimizationWebpQuality: 70,
        cachingStaticCacheKey: { uri: true, varyByHostname: false, varyByQueryString: [] },
      });
    });

    it('accepts the organization as IRI or integer, and defaults to the only possible one', async () => {
      const organizations = [`/api/organizations/${ada.organization}`, ada.organization];
      for (const [index, organization] of organizations.entries()) {
        const reply = await create({ name: `in ${index}`, organization });
        expect((reply.json() as ZoneBody).organization).to.equal(`/api/organizations/${ada.organization}`);
      }
      const viewer = await aMember(service, ada, 'viewer');
      const reply = await viewer.post('/api/zones', { name: 'the only place' });
      expect((reply.json() as ZoneBody).organization).to.equal(`/api/organizations/${viewer.organization}`);
    });

    it('answers 422 without an organization when several are possible', async () => {
      const editor = await aMember(service, ada, 'editor');
      expectProblem(await editor.post('/api/zones', { name: 'where?' }), 422, 'validation-failed', [
        'organization: member.required',
      ]);
    });

    for (const organization of ['/api/organizations/', '/api/zones/1', 'abc', '1.5', '', 1.5, 0, -1, true, [1]]) {
      it(`answers 422 to ${JSON.stringify(organization)} as organization`, async () => {
        const reply = await create({ name: 'nowhere', organization });
        expect(reply.status, reply.text).to.equal(422);
        expect(reply.text).to.include('"propertyPath":"organization"');
      });
    }

    it('treats null as an omitted member', async () => {
      const nulls = { tag: null, zone_settings: { cachingDefaultTtl: null, basicAuth: null, defaultBackend: null } };
      const [zone, plain] = [await aZone(ada, nulls), await aZone(ada)];
      expect(zone.tag).to.equal('prod');
      expect(zone.zone_settings).to.deep.equal(plain.zone_settings);
      expect((await aZone(ada, { zone_settings: null })).zone_settings).to.deep.equal(plain.zone_settings);
    });

    it('answers 403 to viewers, to strangers, and for an organization that does not exist', async () => {
      const viewer = await aMember(service, ada, 'viewer');
      const stranger = await aVerifiedUser(service);
      for (const user of [viewer, stranger]) {
        expectProblem(await user.post('/api/zones', { name: 'x', organization: ada.organization }), 403, 'forbidden');
      }
      expectProblem(await create({ name: 'x', organization: 2_147_483_647 }), 403, 'forbidden');
    });

    it('answers 422 to a name and tag in use in the organization', async () => {
      await aZone(ada, { name: 'Twice', tag: 'dev' });
      for (const name of ['Twice', 'tWICE', ' twice ']) {
        const reply = await create({ name, tag: 'dev' });
        expectProblem(reply, 422, 'validation-failed', ['name: zone.name.duplicate']);
      }
    });

    it('answers 422 with all errors at once', async () => {
      const body = {
        tag: 'test',
        colour: 'red',
        zone_settings: {
          cachingDefaultTtl: '60',
          imageOptimizationAvifQuality: 101,
          headersResponseSet: [{ name: 'bad name', value: 'x' }],
          cachingDynamicCacheKey: { uri: 'yes' },
          unheardOf: true,
        },
      };
      const reply = await create(body);
      const { violations } = reply.json() as { violations: readonly { propertyPath: string; code: string }[] };
      expect(reply.status).to.equal(422);
      expect(violations.map(({ propertyPath, code }) => `${propertyPath}: ${code}`)).to.have.members([
        'name: member.required',
        'tag: value.choice',
        'colour: member.unknown',
        'zone_settings.cachingDefaultTtl: member.type',
        'zone_settings.imageOptimizationAvifQuality: settings.range',
        'zone_settings.headersResponseSet[0].name: settings.token',
        'zone_settings.cachingDynamicCacheKey.uri: member.type',
        'zone_settings.unheardOf: member.unknown',
      ]);
    });

    it('accepts linked data', async () => {
      const headers = { 'content-type': 'application/ld+json' };
      const body = JSON.stringify({ '@context': '/api/contexts/Zone', '@type': 'Zone', name: 'linked' });
      expect((await ada.send('POST', '/api/zones', { headers, body })).status).to.equal(201);
    });

    it('accepts what GET returned, in either flavour, under another name', async () => {
      const written = { cachingDefaultTtl: 60, headersResponseAdd: [{ name: 'X-A', value: 'ä' }] };
      const zone = await aZone(ada, { zone_settings: written });
      await aRule(ada, zone);
      for (const type of ['application/json', 'application/ld+json']) {
        const read = (await ada.get(`/api/zones/${zone.id}`, { accept: type })).json() as ZoneBody;
        const copy = await ada.send('POST', '/api/zones', {
          headers: { 'content-type': type },
          body: JSON.stringify({ ...read, name: `copy as ${type}` }),
        });
        expect(copy.status, copy.text).to.equal(201);
        const { id, banToken, zone_settings } = copy.json() as ZoneBody;
        expect(zone_settings).to.deep.equal(zone.zone_settings);
        expect(id).not.to.equal(zone.id);
        expect(banToken).not.to.equal(zone.banToken);
      }
    });

    it('ignores id, ban token, creator and timestamps in the body', async () => {
      const stranger = await aVerifiedUser(service);
      const given = {
        id: missingId,
        banToken: 'ban_mine',
        createdBy: `/api/users/${stranger.id}`,
        createdAt: '2001-01-01T00:00:00.000Z',
        updatedAt: '2001-01-01T00:00:00.000Z',
      };
      const zone = await aZone(ada, given);
      expect(zone.createdBy).to.equal(`/api/users/${ada.id}`);
      for (const member of ['id', 'banToken', 'createdAt', 'updatedAt'] as const) {
        expect(zone[member]).not.to.equal(given[member]);
      }
    });
  });

  describe('GET /api/zones/{id}', () => {
    it('answers 200 with settings, usage counters and nested items', async () => {
      const zone = await aZone(ada);
      const rules = [await aRule(ada, zone), await aRule(ada, zone)];
      const reply = await ada.get(`/api/zones/${zone.id}`);
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(reply.headers.get('cache-control')).to.equal('private, no-cache');
      const { updatedAt, ...read } = reply.json() as ZoneBody;
      const { updatedAt: _, ...created } = zone;
      expect(updatedAt).to.match(timestamp);
      expect(read).to.deep.equal({
        ...created,
        usage: {
          rules: { used: 2, limit: 150 },
          waf: { used: 0, limit: 100 },
          scenarios: { used: 0, limit: 20 },
          configurationRules: { used: 2, limit: 100 },
          rewriteRules: { used: 0, limit: 50 },
          accessRules: { used: 0, limit: 100 },
          securityScenarios: { used: 0, limit: 20 },
          basicAuthUsers: { used: 0, limit: 50 },
        },
        rewriteRules: [],
        configurationRules: rules,
        accessRules: [],
        securityScenarios: [],
      });
    });

    it('answers 200 with linked data, whose nested items have ids but no context', async () => {
      const zone = await aZone(ada);
      const rule = await aRule(ada, zone);
      const reply = await ada.get(`/api/zones/${zone.id}`, { accept: 'application/ld+json' });
      expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
      const read = reply.json() as ZoneBody & { configurationRules: readonly RuleBody[] };
      expect(read).to.include({ '@context': '/api/contexts/Zone', '@id': `/api/zones/${zone.id}`, '@type': 'Zone' });
      expect(Object.keys(read).slice(0, 3)).to.deep.equal(['@context', '@id', '@type']);
      const id = `/api/zones/${zone.id}/configuration-rules/${rule.id}`;
      expect(read.configurationRules).to.deep.equal([{ '@id': id, '@type': 'ConfigurationRule', ...rule }]);
    });

    it('answers 200 with a new entity tag after any change inside the zone', async () => {
      const zone = await aZone(ada);
      const first = await ada.get(`/api/zones/${zone.id}`);
      expect(first.headers.get('cache-control')).to.equal('private, no-cache');
      const condition = { 'if-none-match': first.headers.get('etag') ?? expect.fail('no ETag') };
      expect((await ada.get(`/api/zones/${zone.id}`, condition)).status).to.equal(304);
      await aRule(ada, zone);
      expect((await ada.get(`/api/zones/${zone.id}`, condition)).status).to.equal(200);
    });

    it('has a different entity tag for each flavour', async () => {
      const zone = await aZone(ada);
      const tags = await Promise.all(
        ['application/json', 'application/ld+json'].map(async (accept) =>
          (await ada.get(`/api/zones/${zone.id}`, { accept })).headers.get('etag'),
        ),
      );
      expect(new Set(tags).size).to.equal(2);
    });

    it('shows the ban token to editors and masks it for viewers, also in lists', async () => {
      const zone = await aZone(ada);
      const editor = await aMember(service, ada, 'editor');
      const viewer = await aMember(service, ada, 'viewer');
      const tokenFor = async (user: User, path: string) => {
        const read = (await user.get(path)).json() as ZoneBody | readonly ZoneBody[];
        return [read].flat().find(({ id }) => id === zone.id)?.banToken;
      };
      for (const path of [`/api/zones/${zone.id}`, `/api/zones?q=${zone.id}`]) {
        expect(await tokenFor(editor, path)).to.equal(zone.banToken);
        expect(await tokenFor(viewer, path)).to.equal(`ban_${'*'.repeat(36)}`);
      }
    });

    it('answers 404 to an unknown zone and to an invalid id', async () => {
      for (const id of [missingId, '1', 'abc', '%20', `${missingId}x`, "';--"]) {
        expectProblem(await ada.get(`/api/zones/${id}`), 404, 'not-found');
      }
    });
  });

  describe('DELETE /api/zones/{id}', () => {
    it('answers 204 without a body, and deletes everything inside the zone', async () => {
      const zone = await aZone(ada);
      await aRule(ada, zone);
      const reply = await ada.delete(`/api/zones/${zone.id}`);
      expect({ status: reply.status, text: reply.text, type: reply.headers.get('content-type') }).to.deep.equal({
        status: 204,
        text: '',
        type: null,
      });
      expectProblem(await ada.get(`/api/zones/${zone.id}`), 404, 'not-found');
    });

    it('answers 404 to a zone that does not exist, was deleted, or has an invalid id', async () => {
      const zone = await aZone(ada);
      await ada.delete(`/api/zones/${zone.id}`);
      for (const id of [zone.id, missingId, 'abc']) {
        expectProblem(await ada.delete(`/api/zones/${id}`), 404, 'not-found');
      }
    });
  });
});
