import type { Evaluation } from '@zonewright/engine';
import { matchedRules } from '../deciding/decisions.ts';
import type { ServedZone } from '../documents/accepted-zone.ts';
import type { BodySink, Flow, ResponseHead } from '../origins/exchange.ts';
import { endToEnd, fieldIn, type HeaderLines, without } from '../responses/header-lines.ts';
import { type AnswerHead, afterResponsePhase } from '../responses/response-phase.ts';
import { headerOfSomeForm, varyingByAccept } from '../responses/transformed-header.ts';
import type { ZoneShare } from '../shares/zone-shares.ts';
import type { Transformers } from '../transforming/pool/transformers.ts';
import type { Transformation } from '../transforming/transformation.ts';
import { transformationOf, transformationOfWhole } from '../transforming/transformation-of.ts';
import { finish, isEarly, lastAnswer } from './answers.ts';
import { Collected } from './collected.ts';
import { heldForm } from './conditional-requests.ts';
import type { Visit } from './visit.ts';

/** A request that an origin is asked about, and what evaluation says of it. */
export interface ServedRequest {
  readonly visit: Visit;
  readonly zone: ServedZone;
  readonly share: ZoneShare;
  readonly evaluation: Evaluation;
}

/** The header that the client gets for a header of the origin. */
export function clientHeader({ zone, evaluation }: ServedRequest, head: AnswerHead): string[] {
  const { response, cache } = evaluation;
  if (response === undefined) return [...head.lines];
  return afterResponsePhase(head, response, () => ({
    cacheKey: cache?.key?.sha256,
    revision: zone.document.revision,
    rules: matchedRules(evaluation),
  }));
}

/** Passes an answer on to the client, in another form where the zone's settings say so. Throws on an invalid head. */
export function relay(served: ServedRequest, transformers: Transformers, head: ResponseHead, flow: Flow): BodySink {
  requireReadable(head.headers);
  const lines = head.status === 304 ? notModified(served, linesOf(head)) : linesOf(head);
  const { request } = served.visit;
  const transformation = transformationOf(request, served.evaluation, { status: head.status, lines });
  if (transformation === undefined) {
    writeHead(served, head.status, lines);
    return streamed(served.visit, flow);
  }
  const varying = transformation.variesByAccept ? varyingByAccept(lines) : lines;
  const isChanged = transformation.maxBytes > 0 && lengthIn(lines) <= transformation.maxBytes;
  if (isChanged && request.method !== 'HEAD') {
    const passOn = (changed: HeaderLines) => {
      writeHead(served, head.status, changed);
      return streamed(served.visit, flow);
    };
    return new Collected({
      visit: served.visit,
      zone: served.zone,
      share: served.share.bytes,
      lines: varying,
      transformation,
      transformers,
      passOn,
    });
  }
  writeHead(served, head.status, isChanged ? headerOfSomeForm(varying) : varying);
  return streamed(served.visit, flow);
}

/** The header of an answer 304: with the tag and `Vary` of the answer that the client holds (RFC 9110 section 15.4.5). */
function notModified({ visit: { request }, evaluation }: ServedRequest, lines: HeaderLines): HeaderLines {
  const transformation = transformationOfWhole(request, evaluation, lines);
  const varying = transformation?.variesByAccept === true ? varyingByAccept(lines) : lines;
  const held = heldForm(request.headers['if-none-match'], fieldIn(lines, 'etag') ?? '');
  const isOther = held === 'other' || (held === 'unknown' && isChangedBy(transformation));
  return isOther ? headerOfSomeForm(varying) : varying;
}

const isChangedBy = (transformation: Transformation | undefined): boolean => (transformation?.maxBytes ?? 0) > 0;

/** Whether an answer is a part of what the client gets in another form: the two would not fit. */
export function isPartOfChanged({ visit, evaluation }: ServedRequest, { status, headers }: ResponseHead): boolean {
  if (status !== 206) return false;
  const { maxBytes = 0 } = transformationOfWhole(visit.request, evaluation, headers) ?? {};
  const [, length = '0'] = /\/(\d+)\s*$/.exec(fieldIn(headers, 'content-range') ?? '') ?? [];
  return maxBytes > 0 && Number(length) <= maxBytes;
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
  const header = clientHeader(served, { status, lines });
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
