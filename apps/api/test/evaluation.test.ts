import { expect } from 'chai';
import { anApiToken, anOriginServer, aRule, aVerifiedUser, aZone, type User } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { defaultLimits } from './support/config.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const missing = '/api/zones/00000000-0000-7000-8000-999999999999/evaluation';
const linked = { accept: 'application/ld+json' };

describe('Evaluation', () => {
  let service: MemoryService;
  let ada: User;
  let zone: string;
  let path: string;
  let rule: string;
  let origin: string;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
    const server = await anOriginServer(ada);
    origin = `/api/organizations/${ada.organization}/origin-servers/${server.id}`;
    const created = await aZone(ada, {
      zone_settings: {
        defaultBackend: { type: 'origin', id: server.id },
        cachingDynamicEnabled: true,
        customPagesErrorHtml: '<p>é</p>',
      },
    });
    zone = `/api/zones/${created.id}`;
    path = `${zone}/evaluation`;
    const conditions = {
      logic: 'and',
      conditions: [
        { field: 'header', target: 'Authorization', operator: 'contains', value: 'Basic' },
        { field: 'cookie', target: 'a', operator: 'exists' },
        { field: 'country', operator: 'equals', value: 'de' },
      ],
    };
    const basicAuth = { enabled: false };
    const made = await aRule(ada, created, {
      name: 'Basic',
      conditions,
      settingsOverrides: { cachingDefaultTtl: 60, basicAuth },
    });
    rule = `${zone}/configuration-rules/${made.id}`;
  });
  after(() => service.close());

  const authorization = 'Basic c2VjcmV0OnNlY3JldA==';
  /** The same facts in both forms. */
  const query = new URLSearchParams([
    ['url', 'https://Shop.Example.com/a?x=%7E'],
    ['header[]', `Authorization: ${authorization}`],
    ['header[]', 'Cookie: a=s3cret; b'],
    ['ip', '::ffff:192.0.2.1'],
    ['country', 'de'],
    ['asn', ''],
    ['status', '404'],
  ]).toString();
  const request = {
    url: 'https://Shop.Example.com/a?x=%7E',
    headers: [
      { name: 'Authorization', value: authorization },
      { name: 'Cookie', value: 'a=s3cret; b' },
    ],
    ip: '::ffff:192.0.2.1',
    country: 'de',
    asn: null,
    status: 404,
  };

  it('answers GET with the effect on the request, naming rules and backends by address', async () => {
    const reply = await ada.get(`${path}?${query}`);
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(reply.headers.get('cache-control')).to.equal('private, no-cache');
    const answer = reply.json() as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    expect(Object.keys(answer)).to.deep.equal([
      'zone',
      'revision',
      'draft',
      'constantsVersion',
      'request',
      'disposition',
      'dispositions',
      'phases',
      'settings',
      'cache',
      'origin',
      'response',
    ]);
    expect(answer).to.deep.include({ zone, revision: 2, draft: false, disposition: 'serve', dispositions: ['serve'] });
    expect(answer['request']).to.deep.equal({
      method: 'GET',
      scheme: 'https',
      host: 'shop.example.com',
      path: '/a',
      query: 'x=~',
      form: 'origin',
      ip: '192.0.2.1',
      country: 'DE',
      asn: null,
      status: 404,
      unknown: [],
    });
    const phases = answer['phases'] as unknown as readonly { readonly steps?: readonly unknown[] }[];
    expect(phases[2]?.steps).to.deep.equal([
      {
        rule,
        name: 'Basic',
        order: 1,
        writes: ['basicAuth', 'cachingDefaultTtl'],
        outcome: 'matched',
        leaves: [
          { index: 0, result: 'true', subject: [{ length: authorization.length }] },
          { index: 1, result: 'true', subject: [{ length: 6 }] },
          { index: 2, result: 'true', subject: ['DE'] },
        ],
      },
    ]);
    expect(answer['settings']).to.deep.include({
      cachingDefaultTtl: { value: 60, from: rule, overwritten: ['zone'] },
      customPagesErrorHtml: { value: { bytes: 9 }, from: 'zone', overwritten: [] },
    });
    expect(answer['origin']).to.include({ backend: origin, target: '/a?x=~' });
    expect(answer['cache']).to.deep.include({ eligible: 'false', reasons: ['authorization'] });
    for (const secret of ['s3cret', 'c2VjcmV0']) expect(reply.text).not.to.include(secret);
  });

  it('answers POST with the same, without an entity tag', async () => {
    const reply = await ada.post(path, { request });
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.json()).to.deep.equal((await ada.get(`${path}?${query}`)).json());
    expect(reply.headers.get('cache-control')).to.equal('no-store');
    for (const field of ['etag', 'location']) expect(reply.headers.get(field)).to.equal(null);
  });

  it('answers GET with a strong entity tag of the content, and 304 when it matches', async () => {
    const tag = (await ada.get(`${path}?${query}`)).headers.get('etag') ?? expect.fail();
    expect(tag).to.match(/^"[\w-]{43}"$/);
    const known = await ada.get(`${path}?${query}`, { 'if-none-match': tag });
    expect([known.status, known.text]).to.deep.equal([304, '']);
    expect((await ada.get(`${path}?url=http://x/`, { 'if-none-match': tag })).status).to.equal(200);
  });

  it('answers with linked data on demand', async () => {
    const keys = { '@context': '/api/contexts/Evaluation', '@id': path, '@type': 'Evaluation', zone };
    expect((await ada.get(`${path}?${query}`, linked)).json()).to.include(keys);
    const body = { '@type': 'Evaluation', request, revision: null, patch: null };
    expect((await ada.post(path, body, { ...linked, 'content-type': 'application/ld+json' })).json()).to.include(keys);
  });

  it('evaluates a revision and a draft without recording anything', async () => {
    expect((await ada.get(`${path}?${query}&revision=1`)).json()).to.include({ revision: 1, draft: false });
    const patch = { accessRules: { order: ['0193d5c0-0000-7000-8000-00000000000A'], items: {} } };
    expectProblem(await ada.post(path, { request, patch }), 422, 'validation-failed', [
      'patch.accessRules.order: list.order',
    ]);
    const redirect = {
      name: 'R',
      operator: 'starts_with',
      sourcePattern: '/',
      target: 'https://b.example',
      type: 'redirect',
    };
    const id = '0193d5c0-0000-7000-8000-00000000000a';
    const rewriteRules = { order: [id], items: { [id]: redirect } };
    const reply = await ada.post(path, { request, revision: 1, patch: { rewriteRules } });
    expect(reply.json(), reply.text).to.include({
      revision: 1,
      draft: true,
      disposition: 'redirect',
      status: 302,
      location: 'https://b.example/a?x=~',
    });
    expect((await ada.get(zone)).headers.get('etag')).to.equal('"2"');
  });

  it('explains why a request would be rejected', async () => {
    const rejected = (await ada.get(`${path}?scheme=https&authority=a&target=/a%23b`)).json();
    expect(rejected).to.deep.equal({
      zone,
      revision: 2,
      draft: false,
      constantsVersion: 1,
      disposition: 'rejected',
      dispositions: ['rejected'],
      status: 400,
      reason: 'target.character',
    });
    const lines = Array.from({ length: 101 }, () => 'header[]=a:1').join('&');
    expect((await ada.get(`${path}?url=https://a/&${lines}`)).json()).to.include({
      reason: 'header.size',
      status: 431,
    });
    const long = `url=https://a/${'x'.repeat(8200)}`;
    expect((await ada.get(`${path}?${long}`)).json()).to.include({ reason: 'target.length', status: 414 });
  });

  describe('rejects GET', () => {
    const refused: readonly (readonly [query: string, status: number, ...violations: readonly string[]])[] = [
      ['', 422, 'url: member.required'],
      ['scheme=ftp', 422, 'scheme: value.choice', 'authority: member.required', 'target: member.required'],
      ['url=https://a/&target=/', 422, 'url: request.url.twice'],
      ['url=ftp://a/', 422, 'url: request.url'],
      ['url=http://a/&ip=1&country=ZZ', 422, 'ip: request.ip', 'country: request.country'],
      ['url=http://a/&asn=abc&status=99', 422, 'asn: member.type', 'status: number.range'],
      ['url=http://a/&header[]=x:1&header[]=Host:a', 422, 'header[1]: request.header.host'],
      ['url=http://a/&header[]=x', 422, 'header[0]: member.required'],
      ['url=http://a/&unknown[]=cookies&unknown[]=x', 422, 'unknown[1]: value.choice'],
      ['url=http://a/&header[]=Cookie:a&unknown[]=cookies', 422, 'unknown: request.cookies.known'],
      ['url=http://a/&url=http://b/', 400, 'url: query.repeated'],
      ['url=http://a/&revision=abc', 400, 'revision: query.integer'],
    ];
    for (const [query, status, ...violations] of refused) {
      it(`with ${status}: ?${query}`, async () => {
        const slug = status === 400 ? 'invalid-query' : 'validation-failed';
        expectProblem(await ada.get(`${path}?${query}`), status, slug, violations);
      });
    }
  });

  describe('rejects POST', () => {
    const url = 'http://a/';
    const refused: readonly (readonly [body: unknown, ...violations: readonly string[]])[] = [
      [{}, 'request: member.required'],
      [{ request: { url, x: 1 }, revision: 'abc' }, 'request.x: member.unknown', 'revision: member.type'],
      [{ request: { url }, patch: 1, y: 1 }, 'patch: member.type', 'y: member.unknown'],
      [{ request: { url, headers: [{ name: 'a', value: 'ā' }] } }, 'request.headers[0].value: request.header.bytes'],
      [{ request: { url, headers: [1] } }, 'request.headers[0]: member.type'],
      [{ request: { url }, patch: { name: 'x' } }, 'patch.name: member.unknown'],
    ];
    for (const [body, ...violations] of refused) {
      it(`with 422: ${JSON.stringify(body)}`, async () => {
        expectProblem(await ada.post(path, body), 422, 'validation-failed', violations);
      });
    }
  });

  it('answers 404 for an unknown zone or revision, whatever else is wrong', async () => {
    for (const reply of [
      await ada.get(missing),
      await ada.post(missing, {}),
      await ada.get(`${path}?${query}&revision=99`),
      await ada.get(`${path}?${query}&revision=0`),
      await ada.post(path, { request, revision: 99 }),
    ]) {
      expectProblem(reply, 404, 'not-found');
    }
  });
});

describe('The limit on evaluations', () => {
  it('counts per user, across methods', async () => {
    const limits = defaultLimits();
    const evaluate = { points: 2, seconds: 60 };
    const service = await openMemoryService({ ...limits, rateLimits: { ...limits.rateLimits, evaluate } });
    const user = await aVerifiedUser(service);
    const path = `/api/zones/${(await aZone(user)).id}/evaluation`;
    const token = await anApiToken(user);
    expect((await user.get(`${path}?url=http://a/`)).status).to.equal(200);
    expect((await token.post(path, { request: { url: 'http://a/' } })).status).to.equal(200);
    expectProblem(await user.get(`${path}?url=http://a/`), 429, 'too-many-requests');
    await service.close();
  });
});
