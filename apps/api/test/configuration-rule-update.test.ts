import { expect } from 'chai';
import {
  aMember,
  aRule,
  aVerifiedUser,
  aZone,
  type RuleBody,
  rulesOf,
  type User,
  type ZoneBody,
} from './support/arrange.ts';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const plain = { accept: 'application/json' };

describe('PATCH /api/zones/{zoneId}/configuration-rules/{id}', () => {
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

  const pathOf = ({ id }: Pick<RuleBody, 'id'>) => `${rulesOf(zone)}/${id}`;
  const read = async (rule: Pick<RuleBody, 'id'>) => (await ada.get(pathOf(rule), plain)).json() as RuleBody;
  const patch = (rule: Pick<RuleBody, 'id'>, body: unknown, headers: Readonly<Record<string, string>> = plain) =>
    ada.patch(pathOf(rule), body, headers);

  it('answers 200 with the full rule as linked data', async () => {
    const rule = await aRule(ada, zone, { description: 'kept', settingsOverrides: { minifyHtml: true } });
    const reply = await patch(rule, { name: 'renamed' }, {});
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
    const { updatedAt, ...changed } = reply.json() as RuleBody;
    const { updatedAt: before, ...unchanged } = rule;
    expect(changed).to.deep.equal({
      '@context': '/api/contexts/ConfigurationRule',
      '@id': pathOf(rule),
      '@type': 'ConfigurationRule',
      ...unchanged,
      name: 'renamed',
    });
    expect(Date.parse(updatedAt)).to.be.at.least(Date.parse(before));
    expect(await read(rule)).to.deep.equal({ ...unchanged, name: 'renamed', updatedAt });
  });

  it('answers 422 to another zone, and ignores the same zone', async () => {
    const rule = await aRule(ada, zone);
    const other = await aZone(ada);
    for (const reference of [other.id, `/api/zones/${other.id}`, null, 7, [zone.id]]) {
      expectProblem(await patch(rule, { zone: reference }), 422, 'validation-failed', ['zone: zone.change']);
    }
    for (const reference of [zone.id, `/api/zones/${zone.id}`]) {
      expect((await patch(rule, { zone: reference })).status).to.equal(200);
    }
    expect((await read(rule)).zone).to.equal(`/api/zones/${zone.id}`);
  });

  it('accepts what GET returned, in either flavour, and changes nothing', async () => {
    const rule = await aRule(ada, zone, { settingsOverrides: { cachingDynamicCacheKey: { varyByCountry: true } } });
    for (const accept of ['application/json', 'application/ld+json']) {
      const body = (await ada.get(pathOf(rule), { accept })).json();
      const { updatedAt: _, ...same } = (await patch(rule, body)).json() as RuleBody;
      expect(rule).to.deep.include(same);
    }
  });

  it('ignores id and timestamps, and answers 422 to unknown members', async () => {
    const rule = await aRule(ada, zone);
    const ignored = { id: missingId, createdAt: '2001-01-01T00:00:00.000Z', '@id': '/x', '@anything': [] };
    expect((await patch(rule, ignored)).json()).to.include({ id: rule.id, createdAt: rule.createdAt });
    const reply = await patch(rule, { nmae: 'x', conditions: { Logic: 'or' }, settingsOverrides: { ttl: 1 } });
    expectProblem(reply, 422, 'validation-failed', [
      'conditions.Logic: member.unknown',
      'settingsOverrides.ttl: member.unknown',
      'nmae: member.unknown',
    ]);
  });

  describe('order of checks', () => {
    const malformed = { headers: { 'content-type': 'application/merge-patch+json' }, body: '{"name":' };
    const wrongType = { headers: { 'content-type': 'application/json' }, body: '{"name":' };
    let rule: RuleBody;
    beforeEach(async () => {
      rule = await aRule(ada, zone);
    });
    const send = (client: Client, path: string, call: Parameters<Client['send']>[2]) =>
      client.send('PATCH', path, call);

    it('401 comes before 415 and 406', async () => {
      const call = { ...wrongType, headers: { ...wrongType.headers, accept: 'text/html' } };
      expectProblem(await send(anonymous, pathOf(rule), call), 401, 'unauthenticated');
    });

    it('404 of an unknown path and 405 come before 401', async () => {
      expectProblem(await send(anonymous, `${pathOf(rule)}/more`, malformed), 404, 'not-found');
      expectProblem(await send(anonymous, rulesOf(zone), malformed), 405, 'method-not-allowed');
    });

    it('406 comes before 403 and 404', async () => {
      const call = { ...malformed, headers: { ...malformed.headers, accept: 'text/html' } };
      for (const path of [pathOf(rule), pathOf({ id: missingId })]) {
        expectProblem(await send(stranger, path, call), 406, 'not-acceptable');
      }
    });

    it('415 comes before 403 and 404', async () => {
      for (const type of ['application/json', 'application/ld+json', 'text/plain']) {
        const call = { ...malformed, headers: { 'content-type': type } };
        expectProblem(await send(stranger, pathOf(rule), call), 415, 'unsupported-media-type');
        expectProblem(await send(ada, pathOf({ id: missingId }), call), 415, 'unsupported-media-type');
      }
      expectProblem(await send(ada, pathOf(rule), { body: '{}' }), 415, 'unsupported-media-type');
    });

    it('404 comes before 400 and 422', async () => {
      for (const path of [pathOf({ id: missingId }), `${rulesOf({ id: missingId })}/${rule.id}`]) {
        expectProblem(await send(ada, path, malformed), 404, 'not-found');
        expectProblem(await ada.patch(path, { name: 7, unknown: 1 }), 404, 'not-found');
      }
    });

    it('403 comes before 400 and 422', async () => {
      for (const user of [viewer, stranger]) {
        expectProblem(await send(user, pathOf(rule), malformed), 403, 'forbidden');
        expectProblem(await user.patch(pathOf(rule), { name: 7, zone: missingId }), 403, 'forbidden');
        expectProblem(await user.patch(pathOf({ id: missingId }), { name: 7 }), 403, 'forbidden');
      }
    });

    it('403 and 404 come before 400 and 422 on POST', async () => {
      const call = { headers: { 'content-type': 'application/json' }, body: '{' };
      for (const user of [viewer, stranger]) {
        expectProblem(await user.send('POST', rulesOf(zone), call), 403, 'forbidden');
        expectProblem(await user.post(rulesOf(zone), { name: 7 }), 403, 'forbidden');
      }
      expectProblem(await ada.send('POST', rulesOf({ id: missingId }), call), 404, 'not-found');
      expectProblem(await ada.post(rulesOf({ id: missingId }), { name: 7 }), 404, 'not-found');
    });

    it('400 comes before 422: malformed JSON, JSON that is not an object, no body', async () => {
      const { headers } = malformed;
      for (const body of ['{"name":', '[]', '"x"', 'null', '7']) {
        expectProblem(await send(ada, pathOf(rule), { headers, body }), 400, 'malformed-body');
      }
      expectProblem(await send(ada, pathOf(rule), {}), 400, 'malformed-body');
    });
  });
});
