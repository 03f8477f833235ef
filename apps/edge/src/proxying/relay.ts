import { defaultSettings, type Evaluation } from '@zonewright/engine';
import { effective, matchedRules } from '../deciding/decisions.ts';
import type { ServedZone } from '../documents/accepted-zone.ts';
import type { BodySink, Flow, ResponseHead } from '../origins/exchange.ts';
import { endToEnd, fieldIn, type HeaderLines, without } from '../responses/header-lines.ts';
import { htmlMinification } from '../responses/minified-html.ts';
import { type ImageSettings, imageOptimization } from '../responses/optimized-image.ts';
import { afterResponsePhase } from '../responses/response-phase.ts';
import {
  headerOfSomeForm,
  headerOfTransformed,
  type Transformation,
  type Transformed,
  varyingByAccept,
} from '../responses/transformation.ts';
import type { ZoneShare } from '../shares/zone-shares.ts';
import { finish, isEarly, lastAnswer } from './answers.ts';
import { guarded, type Visit } from './visit.ts';

/** A request that an origin is asked about, and what evaluation says of it. */
export interface ServedRequest {
  readonly visit: Visit;
  readonly zone: ServedZone;
  readonly share: ZoneShare;
  readonly evaluation: Evaluation;
}

/** The header that the client gets for a header of the origin. */
export function clientHeader({ zone, evaluation }: ServedRequest, lines: HeaderLines): string[] {
  const { response, cache } = evaluation;
  if (response === undefined) return [...lines];
  return afterResponsePhase(lines, response, () => ({
    cacheKey: cache?.key?.sha256,
    revision: zone.document.revision,
    rules: matchedRules(evaluation),
  }));
}

/** Passes an answer on to the client, in another form where the zone's settings say so. Throws on an invalid head. */
export function relay(served: ServedRequest, head: ResponseHead, flow: Flow): BodySink {
  requireReadable(head.headers);
  const lines = linesOf(head);
  const transformation = transformationOf(served, head.status, lines);
  if (transformation === undefined) {
    writeHead(served, head.status, lines);
    return streamed(served.visit, flow);
  }
  const varying = transformation.variesByAccept ? varyingByAccept(lines) : lines;
  const isChanged = transformation.maxBytes > 0 && lengthIn(lines) <= transformation.maxBytes;
  const isHead = served.visit.request.method === 'HEAD';
  if (isChanged && !isHead) {
    return new Collected(served, { status: head.status, headers: varying }, transformation, flow);
  }
  writeHead(served, head.status, isChanged ? headerOfSomeForm(varying) : varying);
  return streamed(served.visit, flow);
}

/** The lines that are passed on. An answer 204 has no length, whatever its origin says (RFC 9110 section 8.6). */
const linesOf = ({ status, headers }: ResponseHead): HeaderLines =>
  status === 204 ? without(endToEnd(headers), lengths) : endToEnd(headers);

const lengths: ReadonlySet<string> = new Set(['content-length']);

/** Nobody asks origins for another coding than `chunked`, and the client would take the coded bytes for the body. */
function requireReadable(lines: HeaderLines): void {
  const coding = fieldIn(lines, 'transfer-encoding') ?? 'chunked';
  if (coding.trim().toLowerCase() !== 'chunked') throw new Error('The transfer coding of the answer is not known.');
}

function writeHead(served: ServedRequest, status: number, lines: HeaderLines): void {
  const { request, response } = served.visit;
  const header = clientHeader(served, lines);
  if (isEarly(request)) header.push(...lastAnswer(request));
  response.writeHead(status, header);
}

/** Each part goes on at once; the origin waits while the client does not read. */
function streamed({ request, response }: Visit, flow: Flow): BodySink {
  const resume = () => flow.resume();
  return {
    data(chunk) {
      const hasRoom = response.write(chunk);
      if (!hasRoom) response.once('drain', resume);
      return hasRoom;
    },
    end: () => finish(request, () => response.end()),
    // The client must not take a part for the whole.
    broken: () => response.destroy(),
  };
}

const lengthIn = (lines: HeaderLines): number => Number(fieldIn(lines, 'content-length') ?? 0);

/** What is done with the body: only with whole ones, of answers to GET that may be changed. HEAD tells of those. */
function transformationOf(
  { visit, evaluation }: ServedRequest,
  status: number,
  lines: HeaderLines,
): Transformation | undefined {
  const { method, headers } = visit.request;
  const contentType = fieldIn(lines, 'content-type');
  if (contentType === undefined || status !== 200 || !reading.has(method)) return undefined;
  if (!mayChange(evaluation, lines)) return undefined;
  const coding = fieldIn(lines, 'content-encoding') ?? '';
  if (isHtml.test(contentType)) return pageTransformation(evaluation, contentType, coding);
  if (!isImage.test(contentType) || coding !== '') return undefined;
  return imageOptimization(contentType, headers.accept ?? '', imageSettings(evaluation));
}

const pageTransformation = (evaluation: Evaluation, contentType: string, coding: string): Transformation | undefined =>
  effective(evaluation, 'minifyHtml') ? htmlMinification(contentType, coding) : undefined;

const mayChange = (evaluation: Evaluation, lines: HeaderLines): boolean =>
  effective(evaluation, 'enabled') && !isNoTransform.test(fieldIn(lines, 'cache-control') ?? '');

const reading: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);
const isHtml = /^\s*text\/html\b/i;
const isImage = /^\s*image\//i;
const isNoTransform = /\bno-transform\b/i;

const isImageKey = (key: string): key is keyof ImageSettings => key.startsWith('imageOptimization');
const imageKeys = Object.keys(defaultSettings).filter(isImageKey);

const imageSettings = (evaluation: Evaluation): ImageSettings =>
  // One entry for each key of the type.
  Object.fromEntries(imageKeys.map((key) => [key, effective(evaluation, key)])) as unknown as ImageSettings;

/** A smaller part takes about as much memory. */
const minPartBytes = 512;

/**
 * Holds a body back until it is whole, and passes it on in another form; as it comes, if it is too large or the zone holds
 * too much already.
 */
class Collected implements BodySink {
  readonly #served: ServedRequest;
  readonly #head: ResponseHead;
  readonly #transformation: Transformation;
  readonly #flow: Flow;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #rest: BodySink | undefined;

  constructor(served: ServedRequest, head: ResponseHead, transformation: Transformation, flow: Flow) {
    this.#served = served;
    this.#head = head;
    this.#transformation = transformation;
    this.#flow = flow;
    served.visit.response.once('close', () => this.#release());
  }

  data(chunk: Buffer): boolean {
    if (this.#rest !== undefined) return this.#rest.data(chunk);
    this.#chunks.push(chunk);
    const bytes = Math.max(chunk.length, minPartBytes);
    this.#bytes += bytes;
    const mayBeHeld = this.#served.share.bytes.take(bytes);
    return this.#bytes > this.#transformation.maxBytes || !mayBeHeld ? this.#passOn().hasRoom : true;
  }

  end(): void {
    if (this.#rest !== undefined) return this.#rest.end();
    const body = Buffer.concat(this.#chunks);
    void this.#transform(body);
  }

  broken(): void {
    this.#release();
    this.#served.visit.response.destroy();
  }

  async #transform(body: Buffer): Promise<void> {
    const other = await this.#transformation.apply(body);
    guarded(this.#served.visit, () => this.#finish(body, other));
  }

  #passOn(): { readonly hasRoom: boolean } {
    const { visit } = this.#served;
    writeHead(this.#served, this.#head.status, this.#head.headers);
    this.#rest = streamed(visit, this.#flow);
    const hasRoom = this.#rest.data(Buffer.concat(this.#chunks));
    this.#release();
    return { hasRoom };
  }

  #finish(body: Buffer, other: Transformed | undefined): void {
    const { visit } = this.#served;
    this.#release();
    if (visit.response.destroyed) return;
    const { status, headers } = this.#head;
    writeHead(this.#served, status, other === undefined ? headers : headerOfTransformed(headers, other));
    visit.response.write(other?.body ?? body);
    finish(visit.request, () => visit.response.end());
  }

  #release(): void {
    this.#served.share.bytes.give(this.#bytes);
    this.#bytes = 0;
    this.#chunks = [];
  }
}
