import { expect } from 'chai';
import { aRule, aVerifiedUser, aZone, type User, type ZoneBody } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { historyOf, tagOf } from './support/zone-contents.ts';

const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';

describe('PATCH /api/zones/{id}', () => {
  let service: MemoryService;
  let ada: User;
  let stranger: User;
  let zone: ZoneBody;

  before(async () => {
    service = await openMemoryService();
    [ada, stranger] = await Promise.all([aVerifiedUser(service), aVerifiedUser(service)]);
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

  it('changes nothing when it is empty or repeats current values: same entity tag, same timestamp, no revision', async () => {
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

  it('ignores read-only members and JSON-LD keys, whatever they contain', async () => {
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
      // API Platform Admin sends the id under this name.
      originId: zone.id,
    };
    expect(await changed(ignored)).to.deep.equal(zone);
  });

  it('answers 422 with all malformed values at once: name, tag, organization and settings', () =>
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

  it('answers 422 with all conflicts at once: name, settings, their references, and rules', async () => {
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
});
