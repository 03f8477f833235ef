import { brotliCompressSync, brotliDecompressSync, crc32, gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import sharp from 'sharp';
import { maxErrorOf, quantizationError } from '../../src/transforming/transformer/quantization-error.ts';
import { ask, entriesOf, openEdge, type Response } from '../support/edge.ts';
import { httpOrigin } from '../support/origin.ts';
import { originOn, servedZone } from '../support/zones.ts';

type Headers = Readonly<Record<string, string>>;

/** The answer to a client for the answer of an origin. */
async function passed(
  body: Buffer | string,
  header: Headers,
  settings: object = {},
  request: { readonly method?: string; readonly headers?: Headers } = {},
): Promise<Response> {
  const origin = await httpOrigin((_, response) => response.writeHead(200, header).end(body));
  const edge = await openEdge([servedZone({ settings: { ...settings }, backends: [originOn(origin.port)] })]);
  try {
    return await ask(edge, '/', request);
  } finally {
    await edge.close(0);
    await origin.close();
  }
}

const page = `<!doctype html>
<html>
  <head>
    <title>ü</title>
  </head>
  <body>
    <p   class="a" >  some   text  </p>
  </body>
</html>
`;
const html = { 'Content-Type': 'text/html; charset=utf-8' };
const on = { minifyHtml: true };

describe('Minified pages', () => {
  it('are smaller and mean the same', async () => {
    const { text, headers } = await passed(page, { ...html, ETag: '"a"', 'Accept-Ranges': 'bytes', 'X-A': 'b' }, on);
    expect(text).to.include('<p   class="a" > some text </p>').and.to.include('<title>ü</title>');
    expect(headers).to.include({ etag: 'W/"a"', 'content-length': String(Buffer.byteLength(text)), 'x-a': 'b' });
    expect(headers).to.not.have.any.keys('accept-ranges', 'transfer-encoding');
  });

  it('keep their content coding', async () => {
    const gzipped = await passed(gzipSync(page), { ...html, 'Content-Encoding': 'gzip' }, on);
    expect(gunzipSync(gzipped.body).toString()).to.include('> some text <');
    const brotli = await passed(brotliCompressSync(page), { ...html, 'Content-Encoding': 'br' }, on);
    expect(brotliDecompressSync(brotli.body).toString()).to.include('> some text <');
  });

  it('leave out of a HEAD response what is true only of the original', async () => {
    const head = { method: 'HEAD' };
    const header = { ...html, ETag: '"a"', 'Content-Length': String(Buffer.byteLength(page)) };
    const { headers } = await passed('', header, on, head);
    expect(headers).to.include({ etag: 'W/"a"', 'content-type': html['Content-Type'] });
    expect(headers).to.not.have.any.keys('content-length', 'transfer-encoding');
    const plain = await passed('', header, {}, head);
    expect(plain.headers).to.include({ etag: '"a"', 'content-length': header['Content-Length'] });
  });

  it('stay as they came where they may not be changed, or cannot', async () => {
    const cases: readonly (readonly [string | Buffer, Headers, object, object])[] = [
      [page, html, {}, {}],
      [page, html, { ...on, enabled: false }, {}],
      [page, { 'Content-Type': 'text/plain' }, on, {}],
      [page, { 'Content-Type': 'text/html; charset=iso-8859-1' }, on, {}],
      [page, { ...html, 'Cache-Control': 'no-transform' }, on, {}],
      [page, { ...html, 'Content-Encoding': 'gzip' }, on, {}],
      [page, { ...html, 'Content-Encoding': 'zstd' }, on, {}],
      [page, html, on, { method: 'POST' }],
      [Buffer.from(page, 'latin1'), html, on, {}],
      [`<p>${' '.repeat(3_000_000)}</p>`, html, on, {}],
      ['<b> '.repeat(20_000), html, on, {}],
      [gzipSync(`<p>${' '.repeat(3_000_000)}</p>`), { ...html, 'Content-Encoding': 'gzip' }, on, {}],
    ];
    for (const [body, header, settings, request] of cases) {
      const { body: came } = await passed(body, header, settings, request);
      expect(came.equals(Buffer.from(body)), JSON.stringify([header, settings, request])).to.equal(true);
    }
  });
});

describe('Work on bodies', () => {
  it('is recorded by how it ended, if there was any', async () => {
    const bodies: Readonly<Record<string, string>> = {
      '/page': page,
      '/short': 'a',
      '/none': '',
      '/large': 'a'.repeat(300_000),
    };
    const origin = await httpOrigin(({ target }, response) => response.writeHead(200, html).end(bodies[target]));
    const edge = await openEdge([servedZone({ settings: on, backends: [originOn(origin.port)] })]);
    for (const target of Object.keys(bodies)) await ask(edge, target);
    const entries = await entriesOf(edge, 4);
    expect(entries.map(({ transformation }) => transformation)).to.deep.equal(['made', 'kept', undefined, undefined]);
    await edge.close(0);
    await origin.close();
  });
});

describe('Bodies in tiny parts', () => {
  it('pass as they come, because holding them back would take much more memory than their bytes', async () => {
    const origin = await httpOrigin((_, response) => {
      response.writeHead(200, html);
      for (let count = 0; count < 5000; count += 1) response.write(' ');
      response.end();
    });
    const edge = await openEdge([servedZone({ settings: on, backends: [originOn(origin.port)] })]);
    expect((await ask(edge)).text).to.equal(' '.repeat(5000));
    await edge.close(0);
    await origin.close();
  });
});

/** A part of a PNG (section 5.3 of its specification). */
function chunk(type: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  const checked = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  sum.writeUInt32BE(crc32(checked));
  return Buffer.concat([length, checked, sum]);
}

describe('Optimized images', () => {
  let jpeg: Buffer;
  let png: Buffer;
  /** Of more colours than a palette has. */
  let colourful: Buffer;
  before(async () => {
    const noise = sharp({
      create: {
        width: 300,
        height: 200,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    });
    jpeg = await noise.jpeg({ quality: 98 }).withMetadata({ orientation: 6 }).toBuffer();
    png = await sharp({ create: { width: 150, height: 100, channels: 4, background: '#08f8' } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const pixels = Buffer.from(Array.from({ length: 60 * 40 * 3 }, (_, at) => (at * at * 7 + (at >> 5)) % 256));
    colourful = await sharp(pixels, { raw: { width: 60, height: 40, channels: 3 } })
      .png()
      .toBuffer();
  });

  const image = (body: Buffer, type: string, accept: string, settings: object = {}, more: Headers = {}) =>
    passed(body, { 'Content-Type': type, ETag: '"a"', ...more }, settings, { headers: { Accept: accept } });

  it('have the best format that client and settings allow, and are smaller', async () => {
    const formats = async (accept: string, settings: object = {}) => {
      const { headers, body } = await image(jpeg, 'image/jpeg', accept, settings);
      const { format, width } = await sharp(body).metadata();
      expect(headers['content-type']).to.equal(`image/${format === 'heif' ? 'avif' : format}`);
      expect(headers['vary']).to.equal('Accept');
      if (format !== 'jpeg') expect([width, body.length < jpeg.length]).to.deep.equal([200, true]);
      return format;
    };
    expect(await formats('image/avif,image/webp,*/*')).to.equal('heif');
    expect(await formats('image/webp,*/*')).to.equal('webp');
    expect(await formats('image/avif;q=0, image/webp;q=0.5')).to.equal('webp');
    expect(await formats('image/avif,image/webp', { imageOptimizationAvifEnabled: false })).to.equal('webp');
    expect(await formats('image/*,*/*')).to.equal('jpeg');
  });

  it('get only forms that take little time, by the number of their pixels', async () => {
    const typeOf = async (width: number, height: number) => {
      const body = await sharp({ create: { width, height, channels: 3, background: '#08f' } })
        .png({ compressionLevel: 0 })
        .toBuffer();
      return (await image(body, 'image/png', 'image/avif,image/webp')).headers['content-type'];
    };
    expect(await Promise.all([typeOf(400, 400), typeOf(700, 800), typeOf(900, 800)])).to.deep.equal([
      'image/avif',
      'image/webp',
      'image/png',
    ]);
  });

  it('are what their bytes say, whatever they are called', async () => {
    const { headers, body } = await image(jpeg, 'image/png', 'image/webp');
    expect([headers['content-type'], (await sharp(body).metadata()).format]).to.deep.equal(['image/webp', 'webp']);
  });

  it('are compressed anew in their own format where the zone wants it', async () => {
    const settings = { imageOptimizationJpegEnabled: true, imageOptimizationPngEnabled: true };
    const again = await image(jpeg, 'image/jpeg', '*/*', settings);
    expect([again.body.length < jpeg.length, again.headers['etag']]).to.deep.equal([true, 'W/"a"']);
    expect((await image(png, 'image/png', '*/*', settings)).body.length).to.be.lessThan(png.length);
  });

  it('keep all their colours where fewer would look worse than the zone wants', async () => {
    const png = (minimum: number, maximum = 100) =>
      image(colourful, 'image/png', '*/*', {
        imageOptimizationPngEnabled: true,
        imageOptimizationPngQualityMin: minimum,
        imageOptimizationPngQualityMax: maximum,
      });
    const copy = (await png(0)).body;
    expect(copy.length).to.be.lessThan(colourful.length);
    const undithered = await sharp(colourful).png({ palette: true, quality: 100, effort: 1, dither: 0 }).toBuffer();
    const error = await quantizationError(colourful, undithered);
    const quality = Array.from({ length: 101 }, (_, each) => each).findLast((each) => error <= maxErrorOf(each)) ?? 0;
    expect(quality).to.be.within(5, 95);
    expect((await png(quality - 2)).body.equals(copy)).to.equal(true);
    expect((await png(quality + 2)).body.equals(colourful)).to.equal(true);
    expect(await quantizationError(colourful, colourful)).to.equal(0);
  });

  it('leave the length and the tag of the original out of a HEAD response', async () => {
    const { headers } = await passed(
      '',
      { 'Content-Type': 'image/jpeg', 'Content-Length': '12', ETag: '"a"' },
      {},
      {
        method: 'HEAD',
        headers: { Accept: 'image/avif' },
      },
    );
    expect(headers).to.include({ etag: 'W/"a"', vary: 'Accept' }).and.to.not.have.property('content-length');
  });

  it('stay as they came where nothing may be done, or nothing is won, or anything fails', async () => {
    const tiny = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const animated = Buffer.concat([png.subarray(0, 33), Buffer.from('\0\0\0\x08acTL'), png.subarray(33)]);
    const late = Buffer.concat([
      png.subarray(0, 33),
      chunk('tEXt', Buffer.from(`a\0${'x'.repeat(5000)}`)),
      chunk('acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0])),
      png.subarray(33),
    ]);
    const bomb = await sharp({ create: { width: 8000, height: 6300, channels: 3, background: '#000' } })
      .toColourspace('b-w')
      .png({ compressionLevel: 1 })
      .toBuffer();
    const small = sharp({ create: { width: 64, height: 64, channels: 3, background: '#08f' } });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><!-- a comment --></svg>';
    const foreign = [
      Buffer.from('no image'),
      Buffer.from(svg),
      Buffer.from(`%PDF-1.7\n${'x'.repeat(500)}`),
      await small.clone().tiff({ compression: 'none' }).toBuffer(),
      await small.clone().heif({ compression: 'av1' }).toBuffer(),
      await small.clone().gif().toBuffer(),
      await small.clone().webp({ lossless: true }).toBuffer(),
    ];
    const accept = 'image/avif,image/webp';
    const cases: readonly (readonly [Buffer, string, object, Headers])[] = [
      [jpeg, 'image/jpeg', { imageOptimizationEnabled: false }, {}],
      [jpeg, 'image/jpeg', { enabled: false }, {}],
      [jpeg, 'image/jpeg', {}, { 'Cache-Control': 'no-transform' }],
      [jpeg, 'image/jpeg', {}, { 'Content-Encoding': 'x' }],
      [jpeg, 'image/gif', {}, {}],
      [tiny, 'image/png', {}, {}],
      [animated, 'image/png', {}, {}],
      [late, 'image/png', {}, {}],
      [bomb, 'image/png', {}, {}],
      ...foreign.map((body) => [body, 'image/png', {}, {}] as const),
      [jpeg.subarray(0, 5000), 'image/jpeg', {}, {}],
      [Buffer.concat([png, Buffer.alloc(21 * 1024 * 1024)]), 'image/png', {}, {}],
    ];
    for (const [index, [body, type, settings, more]] of cases.entries()) {
      const came = await image(body, type, accept, settings, more);
      expect([came.body.equals(body), came.headers['etag']], `${index}`).to.deep.equal([true, '"a"']);
    }
  });

  it('of unknown length above 20 MB pass as they come', async () => {
    const part = Buffer.alloc(1024 * 1024, 'x');
    const origin = await httpOrigin((_, response) => {
      response.writeHead(200, { 'Content-Type': 'image/png' });
      for (let count = 0; count < 25; count += 1) response.write(part);
      response.end();
    });
    const edge = await openEdge([servedZone({ backends: [originOn(origin.port)] })]);
    const { body } = await ask(edge, '/', { headers: { Accept: 'image/webp' } });
    expect(body.length).to.equal(25 * part.length);
    await edge.close(0);
    await origin.close();
  });
});
