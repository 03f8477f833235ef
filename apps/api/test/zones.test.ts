import { defaultZoneSettings } from '@zonewright/core';
import { expect } from 'chai';
import { aRule, aVerifiedUser, aZone, type RuleBody, type User, type ZoneBody } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

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
        zone_settings: defaultZoneSettings,
      });
      expect(id).to.match(uuid);
      expect(banToken).to.match(/^ban_[0-9A-Za-z]{36}$/);
      expect(createdAt).to.match(timestamp);
      expect(updatedAt).to.equal(createdAt);
      expect(reply.headers.get('location')).to.equal(`/api/zones/${id}`);
      expect((await ada.get(`/api/zones/${id}`)).json()).to.deep.include(reply.json());
    });

    it('accepts the organization as IRI or integer, and answers 422 to anything else', async () => {
      for (const organization of [`/api/organizations/${ada.organization}`, ada.organization]) {
        expect((await aZone(ada, { organization })).organization).to.equal(`/api/organizations/${ada.organization}`);
      }
      for (const organization of ['/api/organizations/', '/api/zones/1', 'abc', '1.5', '', 1.5, 0, -1, true, [1]]) {
        const reply = await create({ name: 'nowhere', organization });
        expect(reply.status, reply.text).to.equal(422);
        expect(reply.text).to.include('"propertyPath":"organization"');
      }
    });

    it('treats null as an omitted member', async () => {
      const nulls = { tag: null, zone_settings: { cachingDefaultTtl: null, basicAuth: null, defaultBackend: null } };
      const [zone, plain] = [await aZone(ada, nulls), await aZone(ada)];
      expect(zone.tag).to.equal('prod');
      expect(zone.zone_settings).to.deep.equal(plain.zone_settings);
      expect((await aZone(ada, { zone_settings: null })).zone_settings).to.deep.equal(plain.zone_settings);
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
          rules: { used: 2, limit: 300 },
          waf: { used: 0, limit: 100 },
          scenarios: { used: 0, limit: 20 },
          configurationRules: { used: 2, limit: 100 },
          rewriteRules: { used: 0, limit: 200 },
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

    it('answers 404 to an unknown zone and to an invalid id', async () => {
      for (const id of [missingId, '1', 'abc', '%20', `${missingId}x`, "';--"]) {
        expectProblem(await ada.get(`/api/zones/${id}`), 404, 'not-found');
      }
    });
  });

  it('POST /api/zones/{id}/ban-token answers 200 with the zone, a new token and a new entity tag', async () => {
    const zone = await aZone(ada);
    const path = `/api/zones/${zone.id}`;
    const reply = await ada.post(`${path}/ban-token`);
    expect([reply.status, reply.headers.get('content-type')]).to.deep.equal([200, 'application/json; charset=utf-8']);
    const { banToken, updatedAt, ...rest } = reply.json() as ZoneBody;
    expect(zone).to.deep.include(rest);
    expect(banToken)
      .to.match(/^ban_[0-9A-Za-z]{36}$/)
      .and.not.equal(zone.banToken);
    const read = await ada.get(path);
    expect(read.json()).to.deep.include({ banToken, updatedAt });
    expect(read.headers.get('etag')).to.equal(reply.headers.get('etag'));
    const linked = await ada.post(`${path}/ban-token`, undefined, { accept: 'application/ld+json' });
    expect(linked.json()).to.include({ '@context': '/api/contexts/Zone', '@id': path, '@type': 'Zone' });
  });

  describe('DELETE /api/zones/{id}', () => {
    it('answers 204 without a body, then 404, as to a zone that does not exist or has an invalid id', async () => {
      const zone = await aZone(ada);
      const { status, text, headers } = await ada.delete(`/api/zones/${zone.id}`);
      expect([status, text, headers.get('content-type')]).to.deep.equal([204, '', null]);
      for (const id of [zone.id, missingId, 'abc']) {
        expectProblem(await ada.delete(`/api/zones/${id}`), 404, 'not-found');
      }
    });
  });
});
