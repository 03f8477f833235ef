import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';
import { loadMinifier } from './minifier.ts';
import type { Transformation } from './transformation.ts';

/** Larger pages would keep the thread for too long: the minifier takes about 10 ms a megabyte. */
const maxBytes = 2 * 1024 * 1024;

/**
 * The minifier takes about 800 bytes of stack for each element within another, and ends the program beyond its 8 MB. No
 * page is nested deeper than it has tags.
 */
const maxTags = 5000;

interface Coding {
  readonly decode: (bytes: Buffer) => Promise<Buffer>;
  readonly encode: (bytes: Buffer) => Promise<Buffer>;
}

const limit = { maxOutputLength: maxBytes };
const quickBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const same = (bytes: Buffer) => Promise.resolve(bytes);

/** The codings of pages that can be read. */
const codings: Readonly<Record<string, Coding>> = {
  identity: { decode: same, encode: same },
  gzip: { decode: (bytes) => promisify(gunzip)(bytes, limit), encode: (bytes) => promisify(gzip)(bytes) },
  br: {
    decode: (bytes) => promisify(brotliDecompress)(bytes, limit),
    encode: (bytes) => promisify(brotliCompress)(bytes, quickBrotli),
  },
};

const isUtf8 = /^text\/html\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;

/**
 * Makes pages smaller without changing what they mean; scripts and styles stay as they are. Undefined if the page is
 * not HTML in UTF-8, or in a coding that is not known.
 */
export function htmlMinification(contentType: string, contentCoding: string): Transformation | undefined {
  const coding = codings[contentCoding.trim().toLowerCase() || 'identity'];
  if (coding === undefined || !isUtf8.test(contentType.trim())) return undefined;
  return { maxBytes, apply: (body) => minified(body, coding), variesByAccept: false };
}

async function minified(body: Buffer, { decode, encode }: Coding) {
  try {
    const page = await decode(body);
    // Bytes that are no UTF-8 would be lost.
    if (!Buffer.from(page.toString('utf8')).equals(page)) return undefined;
    const minifier = await loadMinifier();
    if (minifier === undefined || hasManyTags(page)) return undefined;
    const smaller = minifier.minify(page, {
      keep_closing_tags: true,
      keep_html_and_head_opening_tags: true,
      keep_ssi_comments: true,
      keep_input_type_text_attr: true,
    });
    if (smaller.length >= page.length) return undefined;
    const encoded = await encode(smaller);
    return encoded.length < body.length ? { body: encoded, contentType: undefined } : undefined;
  } catch {
    return undefined;
  }
}

/** Counts everything that might begin an element. */
function hasManyTags(page: Buffer): boolean {
  let count = 0;
  for (let at = page.indexOf('<'); at >= 0; at = page.indexOf('<', at + 1)) {
    if (page[at + 1] !== slash) count += 1;
    if (count > maxTags) return true;
  }
  return false;
}

const slash = 0x2f;
