import { expect } from 'chai';
import { aMember, aVerifiedUser, aZone, rulesOf, type User, type ZoneBody } from './support/arrange.ts';
import { type Client, clientOf, type RawCall, type Reply } from './support/client.ts';
import { openService, openTwin, type TestService } from './support/service.ts';
import { revisionsOf } from './support/zone-contents.ts';

const json = { 'content-type': 'application/json' };
const chunked = { ...json, 'transfer-encoding': 'chunked' };

/** What every response has of its own. */
const own: ReadonlySet<string> = new Set(['date', 'x-request-id', 'ratelimit', 'ratelimit-policy']);

const shown = ({ status, headers, text, cookies }: Reply) => ({
  status,
  headers: [...headers].filter(([name]) => !own.has(name)),
  limits: headers.get('ratelimit-policy'),
  text: text.replaceAll(/"requestId":"[^"]*"/g, ''),
  cookies,
});

/** One instance of the service answers on request threads, the other in the calling thread, over the same database. */
describe('Requests on request threads', function () {
  this.timeout(60_000);
  let service: TestService;
  let twin: Awaited<ReturnType<typeof openTwin>>;
  let ada: User;
  let bob: User;
  let zone: ZoneBody;
  let changeSet: string;

  before(async () => {
    service = await openService();
    twin = await openTwin(service, {}, { threadLimits: {} });
    ada = await aVerifiedUser(service);
    bob = await aVerifiedUser(service);
    zone = await aZone(ada);
    await ada.patch(`/api/zones/${zone.id}`, { zone_settings: { minifyHtml: true } });
    const { text } = await ada.post(`/api/zones/${zone.id}/change-sets`, { title: 'Draft', patch: {} });
    changeSet = `/api/zones/${zone.id}/change-sets/${(JSON.parse(text) as { readonly id: string }).id}`;
  });
  after(async () => {
    await twin.close();
    await service.close();
  });

  const onThreads = ({ token }: Pick<User, 'token'>): Client =>
    clientOf(twin.url, { authorization: `Bearer ${token}` });

  /** The response is the same on both instances; returns its status. */
  async function same(user: User | undefined, method: string, path: string, call: RawCall = {}): Promise<number> {
    const [here, there] = user === undefined ? [clientOf(service.url), clientOf(twin.url)] : [user, onThreads(user)];
    const [inline, forwarded] = [await here.send(method, path, call), await there.send(method, path, call)];
    expect(shown(forwarded), `${method} ${path}`).to.deep.equal(shown(inline));
    return forwarded.status;
  }

  it('are refused in the same order', async () => {
    const drafts = `/api/zones/${zone.id}/change-sets`;
    const evaluation = `/api/zones/${zone.id}/evaluation`;
    const large = JSON.stringify({ title: 'x'.repeat(1_100_000) });
    const long = JSON.stringify({ unknown: 'x'.repeat(20_000) });
    const merging = { 'content-type': 'application/merge-patch+json' };
    const of = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = json) => ({ body, headers });
    const requests: readonly (readonly [User | undefined, string, string, RawCall?])[] = [
      [undefined, 'POST', drafts, of('{')],
      [ada, 'GET', `${revisionsOf(zone)}/2`, { headers: { accept: 'text/html' } }],
      [ada, 'GET', `${revisionsOf(zone)}/abc`],
      [ada, 'GET', `${revisionsOf(zone)}/99`],
      [bob, 'GET', `${revisionsOf(zone)}/2`],
      [ada, 'GET', `${revisionsOf(zone)}/1/diff/99`, { headers: { accept: 'application/ld+json' } }],
      [ada, 'GET', `/api/zones/${zone.id}/findings?page=x`],
      [ada, 'GET', `/api/zones/${zone.id}/findings?code=x`],
      [ada, 'POST', drafts],
      [ada, 'POST', drafts, of('{}', { 'content-type': 'text/plain' })],
      [ada, 'POST', drafts, of('{')],
      [bob, 'POST', drafts, of('{')],
      [ada, 'POST', drafts, of('', chunked)],
      [ada, 'POST', drafts, of('[]')],
      [ada, 'POST', drafts, of('{"unknown": 1}')],
      [ada, 'POST', drafts, of(new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]))],
      [ada, 'POST', drafts, of(large, chunked)],
      [ada, 'POST', drafts, of('{}', { ...json, 'idempotency-key': ' ' })],
      [ada, 'POST', `${changeSet}/apply`],
      [bob, 'POST', `${changeSet}/apply`],
      [ada, 'POST', `${changeSet}/apply`, { headers: { 'if-match': '"99"' } }],
      [ada, 'GET', `${evaluation}?url=https://a.example/&revision=99`],
      [ada, 'GET', `${evaluation}?url=nothing&revision=1`],
      [ada, 'POST', evaluation, of('{"request": {"url": "https://a.example/"}, "patch": {"name": "x"}}')],
      [ada, 'PATCH', `/api/zones/${zone.id}`, of(long, merging)],
      [bob, 'PATCH', `/api/zones/${zone.id}`, of(long, merging)],
      [ada, 'PATCH', `/api/zones/${zone.id}`, of(long)],
      [ada, 'PUT', `/api/zones/${zone.id}/access-rules`, of('[]')],
    ];
    const statuses: number[] = [];
    for (const request of requests) statuses.push(await same(...request));
    expect(statuses).to.deep.equal([
      401, 406, 404, 404, 403, 404, 400, 422, 400, 415, 400, 403, 400, 400, 422, 400, 413, 400, 428, 403, 412, 404, 422,
      422, 422, 403, 415, 428,
    ]);
  });

  it('are answered alike', async () => {
    const question = JSON.stringify({ request: { url: 'https://a.example/' }, patch: { zone_settings: {} } });
    const requests: readonly (readonly [string, string, RawCall?])[] = [
      ['GET', `${revisionsOf(zone)}/2`],
      ['HEAD', `${revisionsOf(zone)}/2`],
      ['GET', `${revisionsOf(zone)}/2`, { headers: { 'if-none-match': '"2"' } }],
      ['GET', `${revisionsOf(zone)}/1/diff/2`, { headers: { accept: 'application/ld+json' } }],
      ['GET', `/api/zones/${zone.id}/change-sets`, { headers: { origin: 'https://a.example' } }],
      ['GET', changeSet],
      ['GET', `${changeSet}/findings`, { headers: { 'accept-encoding': 'gzip' } }],
      ['GET', `/api/zones/${zone.id}/evaluation?url=https://a.example/&revision=1`],
      ['POST', `/api/zones/${zone.id}/evaluation`, { body: question, headers: json }],
      ['POST', `/api/zones/${zone.id}/evaluation`, { body: question, headers: chunked }],
    ];
    const statuses: number[] = [];
    for (const request of requests) statuses.push(await same(ada, ...request));
    expect(statuses).to.deep.equal([200, 200, 304, 200, 200, 200, 200, 200, 200, 200]);
  });

  it('read a long page of rules', async () => {
    const another = await aZone(ada);
    const description = 'x'.repeat(900);
    const rules = Array.from({ length: 99 }, (_, index) => ({
      name: `Rule ${index}`,
      description,
      conditions: {
        logic: 'or',
        conditions: [1, 2].map((at) => ({
          field: 'uri',
          operator: 'equals',
          value: `/${index}/${at}/${'x'.repeat(1000)}`,
        })),
      },
      settingsOverrides: { minifyHtml: true },
    }));
    const list = rulesOf(another);
    const headers = { ...json, accept: 'application/json', 'if-match': '*' };
    const put = await ada.send('PUT', list, { headers, body: JSON.stringify(rules) });
    expect(put.status, put.text.slice(0, 500)).to.equal(200);
    expect(put.text.length).to.be.greaterThan(300_000);
    const requests: readonly (readonly [string, string, RawCall?])[] = [
      ['GET', `${list}?itemsPerPage=100`],
      ['GET', `${list}?itemsPerPage=98&page=1`, { headers: { accept: 'application/json', 'accept-encoding': 'gzip' } }],
      ['GET', `${list}?itemsPerPage=10`],
    ];
    const statuses: number[] = [];
    for (const request of requests) statuses.push(await same(ada, ...request));
    expect(statuses).to.deep.equal([200, 200, 200]);
  });

  it('write once per idempotency key, whichever instance gets them', async () => {
    const headers = { 'idempotency-key': 'one-draft' };
    const draft = [`/api/zones/${zone.id}/change-sets`, { title: 'Once', patch: {} }, headers] as const;
    const [first, second] = [await onThreads(ada).post(...draft), await ada.post(...draft)];
    expect([first.status, second.status]).to.deep.equal([201, 201]);
    expect(second.text).to.equal(first.text);
    expect(first.headers.get('location')).to.equal(second.headers.get('location'));
    expect(second.headers.get('idempotency-replayed')).to.equal('true');
  });

  it('see a permission that has been withdrawn', async () => {
    const member = await aMember(service, ada, 'viewer');
    const read = () => onThreads(member).get(`${revisionsOf(zone)}/2`);
    expect((await read()).status).to.equal(200);
    expect((await ada.delete(`/api/organizations/${ada.organization}/members/${member.id}`)).status).to.equal(204);
    expect((await read()).status).to.equal(403);
  });
});

describe('A request that costs its thread', () => {
  it('is answered with 503 and not tried again, while the process serves others', async () => {
    const service = await openService({}, { threadLimits: { memory: 4 } });
    try {
      const ada = await aVerifiedUser(service);
      const zone = await aZone(ada);
      const replies = [await ada.get(`${revisionsOf(zone)}/1`), await ada.get(`${revisionsOf(zone)}/1`)];
      expect(replies.map(({ status }) => status)).to.deep.equal([503, 503]);
      for (const { headers } of replies) expect(Number(headers.get('retry-after'))).to.be.within(590, 600);
      expect(service.log.filter(({ msg }) => msg === 'request thread lost')).to.have.length(1);
      expect((await ada.get('/api/users/me')).status).to.equal(200);
    } finally {
      await service.close();
    }
  });
});
