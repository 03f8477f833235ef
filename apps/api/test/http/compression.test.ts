import { expect } from 'chai';
import { aVerifiedUser, aZone, type User } from '../support/arrange.ts';
import { clientOf, type Reply } from '../support/client.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';

describe('Compression', () => {
  let service: MemoryService;
  let ada: User;
  let zone: string;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
    zone = `/api/zones/${(await aZone(ada)).id}`;
  });
  after(() => service.close());

  const shapeOf = ({ headers }: Reply) => ({
    coding: headers.get('content-encoding'),
    varies: /\bAccept-Encoding\b/.test(headers.get('vary') ?? ''),
  });

  for (const [acceptEncoding, coding] of [
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'gzip'],
    ['*', 'gzip'],
    ['br, gzip;q=0.1', 'gzip'],
    ['br', null],
    ['identity', null],
    ['gzip;q=0', null],
    ['gzip;q=0.1, identity', null],
    ['nonsense', null],
  ] as const) {
    it(`for Accept-Encoding: ${acceptEncoding} is ${coding}`, async () => {
      const reply = await ada.get(zone, { 'accept-encoding': acceptEncoding });
      expect(shapeOf(reply)).to.deep.equal({ coding, varies: true });
      expect(reply.json()).to.deep.equal((await ada.get(zone)).json());
    });
  }

  const gzip = { 'accept-encoding': 'gzip' };

  it('shortens the response under its own strong tag, the same for HEAD, accepted by reads and writes', async () => {
    const reply = await ada.get(zone, gzip);
    const whole = await ada.get(zone);
    expect(Number(reply.headers.get('content-length'))).to.be.below(whole.text.length / 2);
    const tag = reply.headers.get('etag') ?? '';
    expect(tag)
      .to.match(/^"[^"]+"$/)
      .and.not.equal(whole.headers.get('etag'));
    const head = await ada.head(zone, gzip);
    for (const name of ['etag', 'content-length', 'content-encoding', 'vary'])
      expect(head.headers.get(name)).to.equal(reply.headers.get(name));
    const known = await ada.get(zone, { ...gzip, 'if-none-match': tag });
    expect({ status: known.status, tag: known.headers.get('etag') }).to.deep.equal({ status: 304, tag });
    expect(shapeOf(known)).to.deep.equal({ coding: null, varies: true });
    expect((await ada.get(zone, { 'if-match': tag })).status).to.equal(200);
    expect((await ada.get(zone, { 'if-match': '"never"' })).status).to.equal(412);
    expect((await ada.patch(zone, {}, { ...gzip, 'if-match': tag })).status).to.equal(200);
  });

  it('skips tiny and no-store responses, and requests with cookies', async () => {
    const cookie = { ...gzip, cookie: `__Host-access_token=${ada.token}` };
    for (const [reply, varies] of [
      [await ada.get(`${zone}/rewrite-rules`, gzip), true],
      [await ada.get('/api/users/me', gzip), false],
      [await ada.patch(zone, {}, gzip), false],
      [await ada.post('/api/auth/refresh', { refreshToken: ada.refreshToken }, gzip), false],
      [await clientOf(service.url).get(zone, cookie), false],
    ] as const) {
      expect(reply.status).to.equal(200);
      expect(shapeOf(reply)).to.deep.equal({ coding: null, varies });
    }
    expect((await ada.get(zone)).text.length).to.be.above(1024);
  });

  it('covers pages and documents too, with or without cookies', async () => {
    const cookie = { ...gzip, cookie: '__Host-access_token=x' };
    for (const path of ['/api/docs', '/api/docs.jsonopenapi', '/api/docs.jsonld', '/verify-email'])
      expect(shapeOf(await clientOf(service.url).get(path, cookie)), path).to.deep.equal({
        coding: 'gzip',
        varies: true,
      });
  });
});
