import { isUtf8 } from 'node:buffer';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import { maxPageBytes } from '../pages/page-transformation.ts';
import type { PageCoding, PageJob } from '../transformation.ts';
import { isTooIntricate } from './markup-count.ts';
import { loadMinifier } from './minifier.ts';

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
export async function minifiedPage({ body, coding }: PageJob): Promise<Buffer | undefined> {
  const { decode, encode } = codings[coding];
  const page = decode(body);
  const minifier = await loadMinifier();
  // Bytes that are no UTF-8 would be lost.
  if (minifier === undefined || !isUtf8(page) || isTooIntricate(page)) return undefined;
  const smaller = minifier.minify(page, {
    keep_closing_tags: true,
    keep_html_and_head_opening_tags: true,
    keep_ssi_comments: true,
    keep_input_type_text_attr: true,
  });
  if (smaller.length >= page.length) return undefined;
  const encoded = encode(smaller);
  return encoded.length < body.length ? encoded : undefined;
}
