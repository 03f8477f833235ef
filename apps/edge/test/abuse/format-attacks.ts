import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import type { Attack } from './attack.ts';
import { askAgainAndAgain } from './clients.ts';
import { proxiedZone } from './zones.ts';

interface Body {
  readonly type: string;
  readonly bytes: Buffer | Promise<Buffer>;
  readonly coding?: string;
}

async function answer(response: ServerResponse, { type, bytes, coding }: Body): Promise<void> {
  const body = await bytes;
  const coded = coding === undefined ? {} : { 'Content-Encoding': coding };
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length, ...coded });
  response.end(body);
}

/** An origin that always answers with the same body, and clients that know all formats. */
function attackBy(name: string, body: () => Body): Attack {
  let made: Body | undefined;
  return {
    name,
    zones: ({ origin }) => [
      proxiedZone(origin, {
        settings: { minifyHtml: true, imageOptimizationJpegEnabled: true, imageOptimizationPngEnabled: true },
      }),
    ],
    origin: (_, response) => {
      made ??= body();
      void answer(response, made);
    },
    run: (scene, signal) =>
      askAgainAndAgain(scene, signal, 16, (number) => ({
        path: `/${number}`,
        headers: { Accept: 'image/avif,image/webp,*/*', 'Accept-Encoding': 'gzip, br' },
      })),
  };
}

const svg = (content: string, size: number): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${content}</svg>`);

const floods = svg(
  `<filter id="f">${'<feFlood/>'.repeat(40)}</filter><rect width="1" height="1" filter="url(#f)"/>`,
  7000,
);

const nested = (): Buffer => {
  const levels = Array.from(
    { length: 12 },
    (_, level) => `<g id="g${level + 1}">${`<use href="#g${level}"/>`.repeat(10)}</g>`,
  );
  return svg(`<defs><rect id="g0" width="9" height="9"/>${levels.join('')}</defs><use href="#g12"/>`, 3000);
};

const blank = (format: 'png' | 'webp' | 'gif' | 'jpeg' | 'tiff', size: number): Promise<Buffer> =>
  sharp({ create: { width: size, height: size, channels: 3, background: 'red' }, limitInputPixels: false })
    .toFormat(format)
    .toBuffer();

const page = (content: string): Buffer => Buffer.from(`<!doctype html><html><body>${content}</body></html>`);
/** Each paragraph opens all elements of the first one again. */
const reopened = page(
  `<p>${Array.from({ length: 2400 }, (_, index) => `<b id=${index}>`).join('')}${'<p>a  '.repeat(2400)}`,
);
const attributes = page(`<a ${Array.from({ length: 300_000 }, (_, index) => `a${index}=b`).join(' ')}>`);

/** Attacks on what reads images and pages. */
export const formatAttacks: readonly Attack[] = [
  attackBy('SVG with 40 floods of 7,000 × 7,000, called PNG', () => ({ type: 'image/png', bytes: floods })),
  attackBy('SVG with 10^12 nested parts, called PNG', () => ({ type: 'image/png', bytes: nested() })),
  attackBy('TIFF of 7,000 × 7,000, called JPEG', () => ({ type: 'image/jpeg', bytes: blank('tiff', 7000) })),
  attackBy('PNG of 7,000 × 7,000', () => ({ type: 'image/png', bytes: blank('png', 7000) })),
  attackBy('JPEG of 7,000 × 7,000', () => ({ type: 'image/jpeg', bytes: blank('jpeg', 7000) })),
  attackBy('PNG of 2,000 × 2,000', () => ({ type: 'image/png', bytes: blank('png', 2000) })),
  attackBy('a page with 300,000 attributes', () => ({ type: 'text/html', bytes: attributes })),
  attackBy('a page with 300,000 attributes, compressed', () => ({
    type: 'text/html; charset=utf-8',
    bytes: gzipSync(attributes),
    coding: 'gzip',
  })),
  attackBy('a page whose tree has 6 million elements', () => ({ type: 'text/html', bytes: reopened })),
  attackBy('a page of 250 KB of ends of links', () => ({ type: 'text/html', bytes: page('</a>'.repeat(62_000)) })),
  attackBy('a page of 250 KB of ampersands', () => ({ type: 'text/html', bytes: page('&'.repeat(250_000)) })),
  attackBy('a page of nothing that is 200 MB long', () => ({
    type: 'text/html',
    bytes: gzipSync(Buffer.alloc(200_000_000)),
    coding: 'gzip',
  })),
];
