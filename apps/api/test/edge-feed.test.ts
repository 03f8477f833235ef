import { createHash } from 'node:crypto';
import { rollOut } from '@zonewright/core';
import { expect } from 'chai';
import { aVerifiedUser, aZone, type User, unique } from './support/arrange.ts';
import { clientOf, expectProblem } from './support/client.ts';
import { anAddedEdge, anEnrolledEdge, aReport, type EnrolledEdge } from './support/edges.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const aHost = () => `h${unique()}.example.com`;

describe('/edge/v1', () => {
  let service: MemoryService;
  let ada: User;
  let edge: EnrolledEdge;

  before(async () => {
    service = await openMemoryService({ hostNameRules: { own: undefined, verification: 'off' } });
    ada = await aVerifiedUser(service);
    edge = await anEnrolledEdge(service);
  });
  after(() => service.close());

  const aHostedZone = async (hostnames = [aHost()]) => {
    const zone = await aZone(ada);
    expect((await ada.patch(`/api/zones/${zone.id}`, { hostnames })).status).to.equal(200);
    return { ...zone, hostnames };
  };
  const rename = async ({ id }: { readonly id: string }) =>
    expect((await ada.patch(`/api/zones/${id}`, { name: `renamed ${unique()}` })).status).to.equal(200);

  describe('POST /edge/v1/enrolments', () => {
    it('gives a key for a token, once', async () => {
      const { name, token } = await anAddedEdge(service.unitOfWork);
      const reply = await clientOf(service.url).post('/edge/v1/enrolments', { token });
      expect(reply.status).to.equal(201);
      const enrolled = reply.json() as { edge: string; name: string; key: string };
      expect(enrolled.name).to.equal(name);
      expect(enrolled.key).to.match(/^zwe_[\w-]{43}$/);
      expectProblem(await clientOf(service.url).post('/edge/v1/enrolments', { token }), 401, 'unauthenticated');
    });
  });

  describe('the key', () => {
    it('opens nothing outside /edge/v1', async () => {
      expectProblem(await edge.get('/api/zones'), 401, 'unauthenticated');
      const asToken = clientOf(service.url, { 'x-api-token': edge.key });
      expectProblem(await asToken.get('/api/zones'), 401, 'unauthenticated');
    });

    it('is the only credential that opens /edge/v1', async () => {
      expectProblem(await ada.get('/edge/v1/changes'), 401, 'unauthenticated');
      for (const headers of [
        { 'x-api-token': edge.key },
        { authorization: edge.key },
        { authorization: `Basic ${edge.key}` },
        { authorization: `Bearer ${edge.key}x` },
        { authorization: `Bearer ${edge.key.slice(0, -1)}_` },
        { authorization: `Bearer ${edge.key}`, 'x-api-token': 'zw_something' },
      ]) {
        const reply = await clientOf(service.url).get('/edge/v1/changes', headers);
        expectProblem(reply, 401, 'unauthenticated');
        expect(reply.headers.get('www-authenticate')).to.equal('Bearer');
      }
    });
  });

  describe('GET /edge/v1/changes', () => {
    it('has the whole state without a position, and what has changed after one', async () => {
      const zone = await aHostedZone();
      const { position, zones, ...rest } = await edge.changes();
      expect(rest).to.deep.equal({ more: false, reset: false, purges: [] });
      expect(zones.find(({ id }) => id === zone.id)?.hostnames).to.deep.equal(zone.hostnames);
      expect((await edge.changes(position)).zones).to.deep.equal([]);
      await rename(zone);
      const { zones: changed } = await edge.changes(position);
      expect(changed.map(({ id }) => id)).to.deep.equal([zone.id]);
      expect((await edge.changes(position)).zones[0]?.revision).to.equal(3);
    });

    it('says that a position is unknown, and has the whole state', async () => {
      const zone = await aHostedZone();
      const { zones, reset } = await edge.changes('from another installation');
      expect(reset).to.equal(true);
      expect(zones.map(({ id }) => id)).to.include(zone.id);
    });

    it('waits until there is something', async () => {
      const zone = await aHostedZone();
      const { position } = await edge.changes();
      const waiting = edge.changes(position, 20);
      await rename(zone);
      expect((await waiting).zones.map(({ id }) => id)).to.deep.equal([zone.id]);
    });

    it('ends a wait when the same edge asks again', async () => {
      const { position } = await edge.changes();
      const first = edge.changes(position, 50);
      const second = edge.changes(position, 1);
      expect((await first).zones).to.deep.equal([]);
      expect((await second).zones).to.deep.equal([]);
    });

    it('says that the loss of many zones is meant', async () => {
      const other = await aVerifiedUser(service);
      const organization = other.organization as never;
      const own = await anEnrolledEdge(service, { organizations: [organization] });
      const zones = [];
      for (const _ of Array.from({ length: 12 })) {
        const zone = await aZone(other);
        await other.patch(`/api/zones/${zone.id}`, { hostnames: [aHost()] });
        zones.push(zone);
      }
      const { position } = await own.changes();
      for (const { id } of zones) await other.delete(`/api/zones/${id}`);
      const { shrink, zones: removed } = await own.changes(position);
      expect([shrink, removed.length]).to.deep.equal([true, 12]);
    });

    it('answers 422 to a wait that is no number of seconds up to 55', async () => {
      for (const wait of ['56', '-1', '1.5', 'x', '']) {
        const reply = await edge.get(`/edge/v1/changes?wait=${wait}`);
        expectProblem(reply, 422, 'validation-failed', ['wait: value.choice']);
      }
    });
  });

  describe('GET /edge/v1/documents/{digest}', () => {
    it('has the document whose digest it is', async () => {
      const zone = await aHostedZone();
      const { zones } = await edge.changes();
      const digest = zones.find(({ id }) => id === zone.id)?.digest ?? '';
      const reply = await edge.get(`/edge/v1/documents/${digest}`, { 'accept-encoding': 'gzip' });
      expect(reply.headers.get('content-encoding')).to.equal('gzip');
      expect(reply.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      expect(`sha256:${createHash('sha256').update(reply.text).digest('hex')}`).to.equal(digest);
      const plain = await edge.get(`/edge/v1/documents/${digest}`, { 'accept-encoding': 'identity' });
      expect(plain.text).to.equal(reply.text);
      const document = plain.json() as { zone: object; checks: object[] };
      const organization = `/api/organizations/${ada.organization}`;
      expect(document.zone).to.deep.equal({ id: zone.id, name: zone.name, tag: 'prod', organization });
      expect(document.checks).to.have.lengthOf.at.least(3);
    });

    it('has a strong entity tag for each coding, and answers 304 to clients that have the document', async () => {
      const zone = await aHostedZone();
      const digest = (await edge.changes()).zones.find(({ id }) => id === zone.id)?.digest ?? '';
      const read = (headers: Readonly<Record<string, string>>) => edge.get(`/edge/v1/documents/${digest}`, headers);
      for (const [coding, tag] of [
        ['gzip', `"${digest};gz"`],
        ['identity', `"${digest}"`],
      ] as const) {
        expect((await read({ 'accept-encoding': coding })).headers.get('etag')).to.equal(tag);
        const again = await read({ 'accept-encoding': coding, 'if-none-match': `"other", ${tag}` });
        expect([again.status, again.text, again.headers.get('etag')]).to.deep.equal([304, '', tag]);
        expect((await read({ 'accept-encoding': coding, 'if-none-match': '"other"' })).status).to.equal(200);
      }
    });

    it('is only for edges that serve its zone', async () => {
      const zone = await aHostedZone();
      const digest = (await edge.changes()).zones.find(({ id }) => id === zone.id)?.digest ?? '';
      const organization = ada.organization as never;
      const another = (await aVerifiedUser(service)).organization as never;
      for (const [scope, status] of [
        [{ organizations: [organization], tags: ['prod'] }, 200],
        [{ organizations: [another] }, 404],
        [{ organizations: [organization], tags: ['dev'] }, 404],
      ] as const) {
        const own = await anEnrolledEdge(service, scope);
        const replies = [await own.get(`/edge/v1/documents/${digest}`)];
        // Knowing the tag reveals nothing more.
        if (status === 404)
          replies.push(await own.get(`/edge/v1/documents/${digest}`, { 'if-none-match': `"${digest}"` }));
        expect(replies.map((reply) => reply.status)).to.deep.equal(replies.map(() => status));
      }
    });

    it('answers 404 to one that does not exist', async () => {
      expectProblem(await edge.get(`/edge/v1/documents/sha256:${'0'.repeat(64)}`), 404, 'not-found');
      expectProblem(await edge.get('/edge/v1/documents/other'), 404, 'not-found');
    });
  });

  describe('PUT /edge/v1/state', () => {
    it('answers 204, and 409 to a second process with the same key', async () => {
      const own = await anEnrolledEdge(service);
      expect((await own.report()).status).to.equal(204);
      expect((await own.report()).status).to.equal(204);
      const second = await own.report({ startedAt: '2026-01-02T00:00:00.000Z' });
      expectProblem(second, 409, 'edge-key-in-use');
    });

    it('takes ten thousand rejected documents: a new version of the service may exceed what an edge knows', async () => {
      const own = await anEnrolledEdge(service);
      const rejected = Array.from({ length: 10_000 }, (_, index) => ({
        id: `0190a000-0000-4000-8000-${String(index).padStart(12, '0')}`,
        digest: `sha256:${'0'.repeat(64)}`,
        code: 'document.semantics',
        message: 'Newer than this edge.',
      }));
      expect((await own.report({ zones: { applied: 0, rejected } })).status).to.equal(204);
    });

    it('answers 422 to what is no report', async () => {
      expectProblem(await edge.put('/edge/v1/state', { ...aReport, purged: -1 }), 422, 'validation-failed', [
        'purged: number.range',
      ]);
    });
  });
});

describe('GET /api/zones/{id}/delivery', () => {
  let service: MemoryService;
  let ada: User;

  before(async () => {
    service = await openMemoryService({ hostNameRules: { own: undefined, verification: 'off' } });
  });
  beforeEach(async () => {
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());
  const anOwnZone = async () => {
    const zone = await aZone(ada);
    await ada.patch(`/api/zones/${zone.id}`, { hostnames: [aHost()] });
    return zone;
  };
  const edgeOf = () => anEnrolledEdge(service, { organizations: [ada.organization as never] });
  const deliveryOf = async ({ id }: { readonly id: string }, query = '') =>
    (await ada.get(`/api/zones/${id}/delivery${query}`)).json() as {
      revision: number;
      edges: Record<string, number>;
      currentSince?: string;
      problems: readonly { edge: string; code: string }[];
    };

  it('counts edges by how they stand, and shows what they reject and cannot do', async () => {
    const zone = await anOwnZone();
    const applying = await edgeOf();
    await edgeOf();
    const silent = { total: 2, current: 0, behind: 0, rejected: 0, silent: 2 };
    expect((await deliveryOf(zone)).edges).to.deep.equal(silent);
    const { position, zones } = await applying.changes();
    await applying.report({ position, unsupportedSettings: ['processingSsi'] });
    await rollOut({ unitOfWork: service.unitOfWork, soakSeconds: 0 })();
    const current = await deliveryOf(zone);
    expect(current.edges).to.deep.equal({ ...silent, current: 1, silent: 1 });
    expect(current.currentSince).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    await ada.patch(`/api/zones/${zone.id}`, { zone_settings: { processingSsi: true } });
    const changed = await deliveryOf(zone);
    expect(changed.edges).to.deep.equal({ ...silent, behind: 1, silent: 1 });
    expect(changed).to.not.have.property('currentSince');
    expect(changed.problems.map(({ edge: name, code }) => [name, code])).to.deep.equal([
      [applying.name, 'setting.unsupported'],
    ]);
    const next = await applying.changes(position);
    const digest = next.zones.find(({ id }) => id === zone.id)?.digest ?? zones[0]?.digest;
    const rejected = [{ id: zone.id, digest, code: 'document.check', message: 'Other answers.' }];
    await applying.report({ position: next.position, zones: { applied: 1, rejected } });
    const refused = await deliveryOf(zone);
    expect(refused.edges['rejected']).to.equal(1);
    expect(refused.problems).to.deep.equal([
      { edge: applying.name, code: 'document.check', message: 'Other answers.', revision: 3 },
    ]);
  });

  it('waits until every connected edge has the revision', async () => {
    const zone = await anOwnZone();
    const one = await edgeOf();
    await one.report({ position: (await one.changes()).position });
    await ada.patch(`/api/zones/${zone.id}`, { name: `renamed ${unique()}` });
    const waiting = deliveryOf(zone, '?revision=3&wait=20');
    await one.report({ position: (await one.changes()).position });
    expect((await waiting).edges['behind']).to.equal(0);
  });
});
