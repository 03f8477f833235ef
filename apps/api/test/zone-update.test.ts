import { expect } from 'chai';
import {
  aMember,
  anApiToken,
  anOriginServer,
  aRule,
  aVerifiedUser,
  aZone,
  roles,
  type User,
  unique,
  type ZoneBody,
} from './support/arrange.ts';
import { type Client, clientOf, expectProblem, statusCounts } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { aBasicAuthUser, aRuleIn, historyOf, tagOf } from './support/zone-contents.ts';

const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';

describe('PATCH /api/zones/{id}', () => {
  let service: MemoryService;
  let anonymous: Client;
  let ada: User;
  let viewer: User;
  let stranger: User;
  let zone: ZoneBody;

  before(async () => {
    service = await openMemoryService();
    anonymous = clientOf(service.url);
    [ada, stranger] = await Promise.all([aVerifiedUser(service), aVerifiedUser(service)]);
    viewer = await aMember(service, ada, 'viewer');
  });
  beforeEach(async () => {
    zone = await aZone(ada);
  });
  after(() => service.close());

  const pathOf = ({ id }: Pick<ZoneBody, 'id'>) => `/api/zones/${id}`;
  const patch = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    ada.patch(pathOf(zone), body, headers);
  const read = async () => {
    const {
      usage: _,
      rewriteRules,
      configurationRules,
      accessRules,
      securityScenarios,
      ...own
    } = (await ada.get(pathOf(zone))).json() as ZoneBody & Record<string, unknown>;
    expect([rewriteRules, configurationRules, accessRules, securityScenarios].every(Array.isArray)).to.equal(true);
    return own as ZoneBody;
  };
  const changed = async (body: unknown) => {
    const reply = await patch(body);
    expect(reply.status, reply.text).to.equal(200);
    return reply.json() as ZoneBody;
  };
  const refused = async (body: unknown, violations: readonly string[]) =>
    expectProblem(await patch(body), 422, 'validation-failed', violations);

  it('answers 200 with the zone and its full settings, and a new entity tag', async () => {
    const before = await tagOf(ada, pathOf(zone));
    const reply = await patch({ name: '  renamed  ' });
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    const { updatedAt, ...rest } = reply.json() as ZoneBody;
    const { updatedAt: created, ...unchanged } = zone;
    expect(rest).to.deep.equal({ ...unchanged, name: 'renamed' });
    expect(Date.parse(updatedAt)).to.be.at.least(Date.parse(created));
    expect(await read()).to.deep.equal({ ...rest, updatedAt });
    const after = reply.headers.get('etag');
    expect(after).not.to.equal(before);
    expect(after).to.equal(await tagOf(ada, pathOf(zone)));
  });

  it('answers 200 with linked data on demand', async () => {
    const reply = await patch({ name: 'linked' }, { accept: 'application/ld+json' });
    expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
    expect(reply.json()).to.include({
      '@context': '/api/contexts/Zone',
      '@id': pathOf(zone),
      '@type': 'Zone',
      name: 'linked',
    });
  });

  for (const [written, tag] of [
    ['stage', 'stage'],
    ['DEV', 'dev'],
    ['Prod', 'prod'],
  ] as const) {
    it(`takes ${written} as the tag ${tag}`, async () => {
      expect((await changed({ tag: written })).tag).to.equal(tag);
    });
  }

  it('counts the zone under its new tag, and finds it by its new name', async () => {
    const [owner, name] = [await aVerifiedUser(service), `moved-${unique()}`];
    const { id } = await aZone(owner, { tag: 'prod' });
    expect((await owner.patch(`/api/zones/${id}`, { tag: 'dev', name })).status).to.equal(200);
    const totals = ['tag=prod', 'tag=dev', `q=${name}`, 'q=zone-'].map(async (query) =>
      (await owner.get(`/api/zones?${query}&itemsPerPage=0`)).headers.get('x-total-count'),
    );
    expect(await Promise.all(totals)).to.deep.equal(['0', '1', '1', '0']);
  });

  it('merges settings member by member and replaces lists as a whole', async () => {
    zone = await aZone(ada, {
      zone_settings: {
        cachingDefaultTtl: 60,
        cachingIgnoredUrlParams: ['a', 'b'],
        cachingDynamicCacheKey: { varyByCookie: ['one'], varyByCountry: true },
      },
    });
    const after = await changed({
      zone_settings: {
        minifyHtml: true,
        cachingIgnoredUrlParams: ['c'],
        cachingDynamicCacheKey: { varyByCookie: ['two'] },
        cachingCustomCacheTagHeaders: [],
      },
    });
    expect(after.zone_settings).to.deep.equal({
      ...zone.zone_settings,
      minifyHtml: true,
      cachingIgnoredUrlParams: ['c'],
      cachingDynamicCacheKey: { ...(zone.zone_settings['cachingDynamicCacheKey'] as object), varyByCookie: ['two'] },
      cachingCustomCacheTagHeaders: [],
    });
  });

  describe('null', () => {
    const written = {
      cachingDefaultTtl: 60,
      minifyHtml: true,
      cachingCustomCacheTagHeaders: [],
      cachingDynamicCacheKey: { varyByCookie: ['one'], varyByCountry: true },
      backendPortOverride: 8080,
      cacheControlPublicMaxAgeOverride: 5,
    };
    let defaults: ZoneBody['zone_settings'];
    beforeEach(async () => {
      defaults = zone.zone_settings;
      zone = await aZone(ada, { zone_settings: written });
    });

    for (const key of ['cachingDefaultTtl', 'minifyHtml', 'cachingCustomCacheTagHeaders', 'cachingDynamicCacheKey']) {
      it(`gives ${key} its default again`, async () => {
        const after = await changed({ zone_settings: { [key]: null } });
        expect(after.zone_settings).to.deep.equal({ ...zone.zone_settings, [key]: defaults[key] });
      });
    }

    for (const key of ['backendPortOverride', 'cacheControlPublicMaxAgeOverride']) {
      it(`removes ${key}, which has no default`, async () => {
        const { [key]: removed, ...others } = zone.zone_settings;
        expect(removed).to.be.a('number');
        expect((await changed({ zone_settings: { [key]: null } })).zone_settings).to.deep.equal(others);
      });
    }

    it('gives a member of a cache key its default and leaves the others', async () => {
      const after = await changed({ zone_settings: { cachingDynamicCacheKey: { varyByCookie: null } } });
      expect(after.zone_settings['cachingDynamicCacheKey']).to.deep.include({ varyByCookie: [], varyByCountry: true });
    });

    it('as zone_settings gives every setting its default', async () => {
      expect((await changed({ zone_settings: null })).zone_settings).to.deep.equal(defaults);
    });

    it('as tag means prod, as in a new zone; as name is refused, for a zone has one', async () => {
      await changed({ tag: 'dev' });
      expect((await changed({ tag: null })).tag).to.equal('prod');
      await refused({ name: null }, ['name: member.required']);
    });
  });

  it('changes nothing when it is empty or says what is so: same entity tag, same timestamp, no revision', async () => {
    const tag = await tagOf(ada, pathOf(zone));
    const same = [
      {},
      { name: zone.name },
      { zone_settings: {} },
      { zone_settings: { enabled: true } },
      { tag: 'PROD' },
    ];
    for (const body of same) {
      const reply = await patch(body);
      expect({ status: reply.status, tag: reply.headers.get('etag') }).to.deep.equal({ status: 200, tag });
      expect(reply.json()).to.deep.equal(zone);
    }
    expect(await historyOf(ada, zone)).to.have.length(1);
  });

  for (const accept of ['application/json', 'application/ld+json']) {
    it(`takes what GET gave as ${accept}, rules and all, and changes nothing`, async () => {
      await aBasicAuthUser(ada, zone);
      await aRule(ada, zone, { settingsOverrides: { minifyHtml: true } });
      for (const list of ['rewriteRules', 'accessRules', 'securityScenarios'] as const) await aRuleIn(ada, zone, list);
      const settings = { backendPortOverride: 8080, headersResponseAdd: [{ name: 'X-A', value: 'ä' }] };
      await changed({ zone_settings: settings });
      const before = await ada.get(pathOf(zone), { accept });
      const reply = await patch(before.json(), { accept });
      expect(reply.status, reply.text).to.equal(200);
      expect(reply.headers.get('etag')).to.equal(before.headers.get('etag'));
      expect((await ada.get(pathOf(zone), { accept })).text).to.equal(before.text);
      expect(await historyOf(ada, zone)).to.have.length(7);
    });
  }

  it('ignores read-only members and linked-data keys, whatever is in them', async () => {
    const ignored = {
      id: missingId,
      banToken: 'ban_mine',
      createdBy: `/api/users/${stranger.id}`,
      createdAt: '2001-01-01T00:00:00.000Z',
      updatedAt: 7,
      usage: null,
      rewriteRules: [],
      configurationRules: 'none',
      accessRules: {},
      securityScenarios: [{}],
      '@id': '/x',
      '@anything': [],
      // API Platform Admin keeps the id under this name.
      originId: zone.id,
    };
    expect(await changed(ignored)).to.deep.equal(zone);
  });

  it('answers 422 to members it does not know, each with its place', () =>
    refused(
      {
        nmae: 'x',
        settings: {},
        zone_settings: { ttl: 1, basicAuth: { realm: 'x' }, cachingStaticCacheKey: { urii: 1 } },
      },
      [
        'zone_settings.basicAuth.realm: member.unknown',
        'zone_settings.cachingStaticCacheKey.urii: member.unknown',
        'zone_settings.ttl: member.unknown',
        'nmae: member.unknown',
        'settings: member.unknown',
      ],
    ));

  it('ignores the organization that the zone belongs to, and answers 422 to any other', async () => {
    const { organization } = ada;
    for (const same of [organization, String(organization), `/api/organizations/${organization}`]) {
      expect(await changed({ organization: same })).to.deep.equal(zone);
    }
    const member = await aMember(service, ada, 'owner');
    for (const other of [
      member.organization,
      `/api/organizations/${member.organization}`,
      'abc',
      null,
      0,
      [organization],
    ]) {
      await refused({ organization: other }, ['organization: organization.change']);
    }
    const reply = await member.patch(pathOf(zone), { organization: member.organization });
    expectProblem(reply, 422, 'validation-failed', ['organization: organization.change']);
    expect((await read()).organization).to.equal(`/api/organizations/${organization}`);
  });

  it('answers 422 to a name and tag that another zone of the organization has, in any letter case', async () => {
    const { name } = await aZone(ada, { name: `Taken-${unique()}`, tag: 'dev' });
    for (const body of [
      { name, tag: 'dev' },
      { name: ` ${name.toUpperCase()} `, tag: 'DEV' },
    ]) {
      await refused(body, ['name: zone.name.duplicate']);
    }
    expect((await changed({ name })).name).to.equal(name);
    await refused({ tag: 'dev' }, ['name: zone.name.duplicate']);
    expect((await changed({ name: name.toLowerCase() })).name).to.equal(name.toLowerCase());
    const elsewhere = await aZone(stranger, { tag: 'prod' });
    expect((await changed({ name: elsewhere.name })).name).to.equal(elsewhere.name);
  });

  it('answers 422 and names everything that is malformed at once: name, tag, organization and settings', () =>
    refused(
      {
        name: '',
        tag: 'qa',
        organization: stranger.organization,
        zone_settings: {
          cachingDefaultTtl: -1,
          minifyHtml: 'yes',
          headersResponseSet: [{ name: 'bad name', value: 'x' }],
        },
      },
      [
        'name: text.tooShort',
        'tag: value.choice',
        'zone_settings.minifyHtml: member.type',
        'zone_settings.cachingDefaultTtl: settings.range',
        'zone_settings.headersResponseSet[0].name: settings.token',
        'organization: organization.change',
      ],
    ));

  it('answers 422 and names everything that does not fit at once: name, settings, what they name, and rules', async () => {
    const taken = await aZone(ada);
    await aRule(ada, zone, { settingsOverrides: { imageOptimizationJpegQualityMin: 80 } });
    await refused(
      {
        name: taken.name,
        zone_settings: {
          imageOptimizationJpegQualityTarget: 70,
          imageOptimizationPngQualityMin: 90,
          defaultBackend: { type: 'origin_server', id: missingId },
          basicAuth: { enabled: true, allowedUserIds: [missingId] },
        },
      },
      [
        'name: zone.name.duplicate',
        'zone_settings.imageOptimizationPngQualityMax: settings.quality.order',
        'zone_settings.defaultBackend: backend.unknown',
        'zone_settings.basicAuth.allowedUserIds[0]: basicAuth.user.unknown',
        'zone_settings.basicAuth.enabled: basicAuth.noUser',
        'zone_settings.imageOptimizationJpegQualityTarget: settings.quality.order',
      ],
    );
    expect(await read()).to.deep.equal({ ...zone, updatedAt: (await read()).updatedAt });
  });

  describe('a rule that would no longer fit', () => {
    const told = async (body: unknown) => {
      const reply = await patch(body);
      expect(reply.status, reply.text).to.equal(422);
      return (reply.json() as { violations: readonly { propertyPath: string; code: string; message: string }[] })
        .violations;
    };

    it('is named, by name and id, at the setting that it does not fit', async () => {
      const rule = await aRule(ada, zone, {
        name: 'sharp',
        settingsOverrides: { imageOptimizationJpegQualityMin: 80 },
      });
      const other = await aRule(ada, zone, {
        name: 'soft',
        settingsOverrides: { imageOptimizationJpegQualityMax: 90 },
      });
      expect(await told({ zone_settings: { imageOptimizationJpegQualityTarget: 70 } })).to.deep.equal([
        {
          propertyPath: 'zone_settings.imageOptimizationJpegQualityTarget',
          code: 'settings.quality.order',
          message:
            `The rule "sharp" (${rule.id}) would become invalid. ` +
            'This value (70) should be at least imageOptimizationJpegQualityMin (80).',
        },
      ]);
      const [found, ...none] = await told({ zone_settings: { imageOptimizationJpegQualityTarget: 95 } });
      expect(none).to.deep.equal([]);
      expect(found?.message).to.include(`"soft" (${other.id})`).and.to.include('at most');
    });

    it('is named at the header that it has in another list', async () => {
      await aRule(ada, zone, { settingsOverrides: { headersResponseSet: [{ name: 'X-Shop', value: '1' }] } });
      const zone_settings = { headersResponseRemove: ['Server', 'x-shop'] };
      expect((await told({ zone_settings })).map(({ propertyPath, code }) => [propertyPath, code])).to.deep.equal([
        ['zone_settings.headersResponseRemove[1]', 'settings.header.conflict'],
      ]);
    });

    it('does not stand in the way of settings that it replaces as a whole', async () => {
      await aRule(ada, zone, { settingsOverrides: { imageOptimizationJpegQualityTarget: 60 } });
      const zone_settings = { imageOptimizationJpegQualityTarget: 90, imageOptimizationJpegQualityMin: 50 };
      expect((await changed({ zone_settings })).zone_settings).to.include(zone_settings);
    });
  });

  it('answers 200 to a backend of the organization and to users of the zone, 422 to those of others', async () => {
    const [{ id: own }, { id: foreign }] = [await anOriginServer(ada), await anOriginServer(stranger)];
    const to = (id: string) => ({ zone_settings: { defaultBackend: { type: 'origin_server', id } } });
    expect((await changed(to(own))).zone_settings['defaultBackend']).to.deep.equal({ type: 'origin_server', id: own });
    await refused(to(foreign), ['zone_settings.defaultBackend: backend.unknown']);
    const [user, other] = [await aBasicAuthUser(ada, zone), await aBasicAuthUser(ada, await aZone(ada))];
    const basicAuth = { enabled: true, allowedUserIds: [user.id] };
    expect((await changed({ zone_settings: { basicAuth } })).zone_settings['basicAuth']).to.deep.equal(basicAuth);
    await refused({ zone_settings: { basicAuth: { allowedUserIds: [user.id, other.id] } } }, [
      'zone_settings.basicAuth.allowedUserIds[1]: basicAuth.user.unknown',
    ]);
  });

  it('keeps both of two simultaneous patches of different members', async () => {
    const replies = await Promise.all([
      patch({ name: `both ${zone.name}` }),
      patch({ zone_settings: { minifyHtml: true } }),
      patch({ zone_settings: { cachingDefaultTtl: 1 } }),
      patch({ zone_settings: { cachingDynamicCacheKey: { varyByCountry: true } } }),
      patch({ tag: 'dev' }),
    ]);
    expect(statusCounts(replies)).to.deep.equal({ 200: 5 });
    const { name, tag, zone_settings } = await read();
    expect({ name, tag }).to.deep.equal({ name: `both ${zone.name}`, tag: 'dev' });
    expect(zone_settings).to.include({ minifyHtml: true, cachingDefaultTtl: 1 });
    expect(zone_settings['cachingDynamicCacheKey']).to.include({ varyByCountry: true });
  });

  it('answers 412 with the present ETag when anything inside the zone is not what the client read', async () => {
    const stale = await tagOf(ada, pathOf(zone));
    await aRule(ada, zone);
    const fresh = await tagOf(ada, pathOf(zone));
    const conditions = [stale, '"never"', 'garbage', `W/${stale}`].map((tags) => ({ 'if-match': tags }));
    for (const headers of [...conditions, { 'if-none-match': '*' }, { 'if-none-match': `${stale}, ${fresh}` }]) {
      const reply = await patch({ name: 'too late' }, headers);
      expectProblem(reply, 412, 'precondition-failed');
      expect(reply.headers.get('etag')).to.equal(fresh);
    }
    expect((await read()).name).to.equal(zone.name);
    const linked = await tagOf(ada, pathOf(zone), { accept: 'application/ld+json' });
    for (const condition of [`${stale}, ${fresh}`, linked, `W/${fresh}`, '*']) {
      expect((await patch({}, { 'if-match': condition })).status).to.equal(200);
    }
    const done = await patch({ name: `in time ${unique()}` }, { 'if-match': fresh });
    expect(done.status).to.equal(200);
    expectProblem(await patch({}, { 'if-match': fresh }), 412, 'precondition-failed');
  });

  it('answers 412 to all but one of ten simultaneous patches of the same version', async () => {
    const headers = { 'if-match': await tagOf(ada, pathOf(zone)) };
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => patch({ zone_settings: { cachingDefaultTtl: index } }, headers)),
    );
    expect(statusCounts(replies)).to.deep.equal({ 200: 1, 412: 9 });
  });

  for (const role of roles) {
    const status = role === 'viewer' ? 403 : 200;
    it(`answers ${status} to ${role}s`, async () => {
      const member = role === 'viewer' ? viewer : await aMember(service, ada, role);
      const reply = await member.patch(pathOf(zone), { zone_settings: { minifyHtml: true } });
      expect(reply.status).to.equal(status);
      expect((await read()).zone_settings['minifyHtml']).to.equal(status === 200);
    });
  }

  it('answers 403 to strangers, read-only tokens and tokens for other organizations, 401 to nobody', async () => {
    const member = await aMember(service, ada, 'owner');
    const elsewhere = await anApiToken(member, { organizations: [`/api/organizations/${member.organization}`] });
    const readOnly = await anApiToken(ada, { readOnly: true });
    const body = { name: 'mine' };
    expectProblem(await stranger.patch(pathOf(zone), body), 403, 'forbidden');
    expectProblem(await elsewhere.patch(pathOf(zone), body), 403, 'forbidden');
    expectProblem(await readOnly.patch(pathOf(zone), body), 403, 'read-only-token');
    expectProblem(await anonymous.patch(pathOf(zone), body), 401, 'unauthenticated');
    const writing = await anApiToken(ada);
    expect((await writing.patch(pathOf(zone), body)).status).to.equal(200);
  });

  it('answers 404 to a zone that does not exist, was deleted, or cannot exist', async () => {
    await ada.delete(pathOf(zone));
    for (const id of [zone.id, missingId, 'abc']) {
      expectProblem(await ada.patch(pathOf({ id }), { name: 'x' }), 404, 'not-found');
    }
  });

  describe('order of checks', () => {
    const type = (value: string) => ({ headers: { 'content-type': value }, body: '{"name":' });
    const malformed = type('application/merge-patch+json');
    const send = (client: Client, id: string, call: Parameters<Client['send']>[2]) =>
      client.send('PATCH', pathOf({ id }), call);

    it('406 and 415 come before 403 and 404', async () => {
      const html = { ...malformed, headers: { ...malformed.headers, accept: 'text/html' } };
      for (const id of [zone.id, missingId]) {
        expectProblem(await send(stranger, id, html), 406, 'not-acceptable');
        for (const other of ['application/json', 'application/ld+json', 'text/plain']) {
          expectProblem(await send(stranger, id, type(other)), 415, 'unsupported-media-type');
        }
      }
    });

    it('404 and 403 come before 400 and 422', async () => {
      expectProblem(await send(ada, missingId, malformed), 404, 'not-found');
      expectProblem(await ada.patch(pathOf({ id: missingId }), { name: 7 }), 404, 'not-found');
      for (const user of [viewer, stranger]) {
        expectProblem(await send(user, zone.id, malformed), 403, 'forbidden');
        expectProblem(await user.patch(pathOf(zone), { name: 7, unknown: 1 }), 403, 'forbidden');
      }
    });

    it('412 comes before 422', async () => {
      expectProblem(await patch({ name: 7 }, { 'if-match': '"never"' }), 412, 'precondition-failed');
    });

    it('400 comes before 422: malformed JSON, JSON that is no object, no body at all', async () => {
      for (const body of ['{"name":', '', '[]', '"x"', 'null', '7']) {
        expectProblem(await send(ada, zone.id, { ...malformed, body }), 400, 'malformed-body');
      }
    });
  });
});
