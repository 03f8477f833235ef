import { expect } from 'chai';
import sharp from 'sharp';
import { ask, openEdge, type TestEdge } from '../support/edge.ts';
import { httpOrigin, type ReceivedRequest, type TestOrigin } from '../support/origin.ts';
import { originOn, servedZone } from '../support/zones.ts';

const modified = 'Sat, 28 Nov 2026 00:00:00 GMT';
const digests = {
  'Content-MD5': 'a',
  Digest: 'a',
  'Content-Digest': 'a',
  'Repr-Digest': 'a',
  'Unencoded-Digest': 'a',
  Signature: 'a',
  'Signature-Input': 'a',
};
const validators = { ETag: '"a"', 'Last-Modified': modified, 'Accept-Ranges': 'bytes', ...digests };
const page = Buffer.from(`<!doctype html><body>${'<p>a</p>\n      '.repeat(50)}</body>`);

/** A file on an origin that compares entity tags byte for byte, as some do. */
function answered({ headers }: ReceivedRequest, type: string, body: Buffer) {
  const { 'if-none-match': none, 'if-range': ifRange, range = '' } = headers;
  // Nor do they tell the type then.
  if (none?.split(', ').includes('"a"') === true) return { status: 304, lines: validators, body: '' };
  const [, first = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  const isPart = first !== '' && (ifRange === undefined || ifRange === modified || ifRange === '"a"');
  if (!isPart) return { status: 200, lines: { ...validators, 'Content-Type': type }, body };
  const end = Math.min(Number(last || body.length - 1), body.length - 1);
  const range206 = { 'Content-Range': `bytes ${first}-${end}/${body.length}`, 'Content-Type': type };
  return { status: 206, lines: { ...validators, ...range206 }, body: body.subarray(Number(first), end + 1) };
}

describe('Conditional requests and ranges', () => {
  let origin: TestOrigin;
  let edge: TestEdge;
  before(async () => {
    const jpeg = await sharp({
      create: {
        width: 300,
        height: 200,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    })
      .jpeg({ quality: 98 })
      .toBuffer();
    const files: Readonly<Record<string, readonly [string, Buffer]>> = {
      '/photo.jpg': ['image/jpeg', jpeg],
      '/photo': ['image/jpeg', jpeg],
      '/large.jpg': ['image/jpeg', Buffer.concat([jpeg, Buffer.alloc(5 * 1024 * 1024)])],
      '/film.mp4': ['video/mp4', Buffer.alloc(1000)],
    };
    origin = await httpOrigin((request, response) => {
      const [type, body] = files[request.target] ?? ['text/html', page];
      const { status, lines, body: sent } = answered(request, type, body);
      response.writeHead(status, lines).end(sent);
    });
    edge = await openEdge([servedZone({ settings: { minifyHtml: true }, backends: [originOn(origin.port)] })]);
  });
  after(async () => {
    await edge.close(0);
    await origin.close();
  });

  const forms = { Accept: 'image/avif,image/webp,*/*' };
  const changed = ['/', '/index.html', '/photo.jpg', '/photo'].map((path) => ({
    path,
    accept: path === '/photo' ? { Accept: 'image/avif,image/webp' } : path === '/' ? { Accept: 'text/html' } : forms,
  }));

  it('tell of another form by a weak tag, without digests and signatures of the original', async () => {
    for (const { path, accept } of changed)
      for (const method of ['GET', 'HEAD']) {
        const { headers } = await ask(edge, path, { method, headers: accept });
        expect(headers, path).to.include({ etag: 'W/"a"', 'last-modified': modified });
        const names = Object.keys(digests).map((name) => name.toLowerCase());
        expect(headers, path).to.not.have.any.keys('accept-ranges', ...names);
      }
  });

  it('are answered 304 with the tag and `Vary` of what the client holds', async () => {
    for (const { path, accept } of changed) {
      const { headers } = await ask(edge, path, { headers: accept });
      const again = await ask(edge, path, { headers: { ...accept, 'If-None-Match': String(headers['etag']) } });
      const { etag, vary } = again.headers;
      expect([again.status, etag, vary], path).to.deep.equal([304, 'W/"a"', headers['vary']]);
      expect(again.headers).to.not.have.any.keys('content-digest', 'signature');
    }
    const original = await ask(edge, '/photo.jpg', { headers: { ...forms, 'If-None-Match': '"b", "a"' } });
    expect([original.status, original.headers['etag'], original.headers['vary']]).to.deep.equal([304, '"a"', 'Accept']);
    const film = await ask(edge, '/film.mp4', { headers: { ...forms, 'If-None-Match': '"a"' } });
    expect([film.headers['etag'], film.headers['vary'], film.headers['digest']]).to.deep.equal(['"a"', undefined, 'a']);
  });

  it('never get a part of the original where the whole has another form', async () => {
    const ranges = [{}, { 'If-Range': modified }, { 'If-Range': '"a"' }, { 'If-Range': 'W/"a"' }];
    for (const { path, accept } of changed) {
      const whole = await ask(edge, path, { headers: accept });
      for (const more of ranges) {
        const part = await ask(edge, path, { headers: { ...accept, ...more, Range: 'bytes=10-' } });
        expect([part.status, part.headers['etag']], path).to.deep.equal([200, 'W/"a"']);
        expect(part.body.equals(whole.body)).to.equal(true);
      }
    }
  });

  it('get parts of what stays as it is', async () => {
    for (const path of ['/film.mp4', '/large.jpg']) {
      const { status, body, headers } = await ask(edge, path, { headers: { ...forms, Range: 'bytes=10-19' } });
      expect([status, body.length, headers['etag'], headers['digest']]).to.deep.equal([206, 10, '"a"', 'a']);
    }
    const plain = await ask(edge, '/photo.jpg', { headers: { Accept: '*/*', Range: 'bytes=10-19' } });
    expect([plain.status, plain.body.length]).to.deep.equal([206, 10]);
  });

  it('with a body ask for the whole at once, because it cannot be sent twice', async () => {
    const headers = { Range: 'bytes=10-19', 'If-Range': modified, 'Content-Length': '1' };
    const { status } = await ask(edge, '/index.html', { headers, body: 'a' });
    expect([status, origin.received.at(-1)?.headers.range, origin.received.at(-1)?.body]).to.deep.equal([
      200,
      undefined,
      'a',
    ]);
  });
});
