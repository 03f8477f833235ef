import { isUtf8 } from 'node:buffer';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import { maxPageBytes } from '../pages/page-transformation.ts';
import type { PageCoding, PageJob } from '../transformation.ts';
import { minifiedHtml } from './html-minifier.ts';
import { isTooIntricate } from './markup-count.ts';

interface Coding {
  readonly decode: (bytes: Buffer) => Buffer;
  readonly encode: (bytes: Buffer) => Buffer;
}

const limit = { maxOutputLength: maxPageBytes };
const quickBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const same = (bytes: Buffer) => bytes;

const codings: Readonly<Record<PageCoding, Coding>> = {
  identity: { decode: same, encode: same },
  gzip: { decode: (bytes) => gunzipSync(bytes, limit), encode: (bytes) => gzipSync(bytes) },
  br: {
    decode: (bytes) => brotliDecompressSync(bytes, limit),
    encode: (bytes) => brotliCompressSync(bytes, quickBrotli),
  },
};

/** The page in fewer bytes, in the same coding; undefined if it stays as it is. Throws if it cannot be read. */
export function minifiedPage({ body, coding }: PageJob): Buffer | undefined {
  const { decode, encode } = codings[coding];
  const page = decode(body);
  // Bytes that are no UTF-8 would be lost.
  if (!isUtf8(page) || isTooIntricate(page)) return undefined;
  const smaller = minifiedHtml(page.toString('utf8'));
  if (smaller === undefined) return undefined;
  const encoded = encode(Buffer.from(smaller));
  return encoded.length < body.length ? encoded : undefined;
}
