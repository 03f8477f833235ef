import { createHash } from 'node:crypto';
import type { EdgeDocument } from '@zonewright/edge-protocol';
import { type AddressFact, compileDelivered, type Engine, evaluationDigest, protectingFacts } from '@zonewright/engine';
import { err, ok, type Result } from 'neverthrow';
import { parseEdgeDocument } from './edge-document.ts';
import { type Rejection, rejection } from './rejection.ts';

/** A zone that can be served: its document, and what the engine made of it. A new document is a new object. */
export interface ServedZone {
  readonly document: EdgeDocument;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  readonly engine: Engine;
}

/** The zones of this edge by host name. */
export interface Zones {
  /** The zone of a `Host` field or authority; `invalid` if it is no host name, `unknown` if it is of no zone. */
  find(host: string): ServedZone | 'unknown' | 'invalid';
}

/** The databases of addresses that this edge has. */
export type AddressFacts = Readonly<Record<AddressFact, boolean>>;

/** The SHA-256 of a byte string, one character for each byte, in lower-case hexadecimal. */
export const sha256 = (bytes: string): string => createHash('sha256').update(bytes, 'latin1').digest('hex');

/** The name of bytes: `sha256:` and 64 hexadecimal digits. */
export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** What the service says of a document, and what this edge has for it. */
export interface OfferedDocument {
  /** Of its zone. */
  readonly id: string;
  readonly digest: string;
  readonly facts: AddressFacts;
}

/** What is remembered of a document that can be served. */
export interface AcceptedDocument {
  readonly hostnames: readonly string[];
  /** Facts without which it must not be served. */
  readonly needs: readonly AddressFact[];
}

/** Checks a document from the service. Takes seconds for the largest ones. */
export function acceptDocument(
  bytes: Buffer,
  { id, digest, facts }: OfferedDocument,
): Result<AcceptedDocument, Rejection> {
  return compiledZone(bytes, digest, false)
    .andThrough((served) => requireZone(served.document, id))
    .map((served) => ({ served, needs: protectingFacts(served.document.document) }))
    .andThrough(({ needs }) => requireFacts(needs, facts))
    .andThrough(({ served }) => requireSameAnswers(served))
    .map(({ served, needs }) => ({ hostnames: served.document.hostnames, needs }));
}

/** Compiles a document that was accepted before, so that its patterns need no reading; damage is still noticed. */
export const servedZone = (bytes: Buffer, digest: string): Result<ServedZone, Rejection> =>
  compiledZone(bytes, digest, true);

function compiledZone(bytes: Buffer, digest: string, isValidated: boolean): Result<ServedZone, Rejection> {
  if (digestOf(bytes) !== digest) return err(rejection('document.digest', 'The document has another digest.'));
  return parseEdgeDocument(bytes.toString('utf8')).andThen((document) =>
    compiled(document, isValidated).map((engine) => ({ document, digest, engine })),
  );
}

function compiled(document: EdgeDocument, isValidated: boolean): Result<Engine, Rejection> {
  const engine = compileDelivered(document, { sha256, isValidated });
  if (engine.ok) return ok(engine.value);
  const [first] = engine.error;
  return err(rejection('document.compile', `${first?.path ?? ''}: ${first?.message ?? 'not usable'}`));
}

const requireZone = ({ zone }: EdgeDocument, id: string): Result<void, Rejection> =>
  zone.id === id ? ok() : err(rejection('document.format', 'The document is of another zone.'));

const nameOfFact = { country: 'COUNTRY_DB', asn: 'ASN_DB' } as const;

/** The first fact that is needed and not there. */
export function requireFacts(needs: readonly AddressFact[], facts: AddressFacts): Result<void, Rejection> {
  const missing = needs.find((need) => !facts[need]);
  if (missing === undefined) return ok();
  return err(
    rejection(
      `capability.${missing}`,
      `Access rules or scenarios read ${missing}, but ${nameOfFact[missing]} is not set.`,
    ),
  );
}

/** The engine must give the answers that the service's engine gives. */
function requireSameAnswers({ document, engine }: ServedZone): Result<void, Rejection> {
  const different = document.checks.findIndex(({ request, sha256: expected }) => {
    const digest = evaluationDigest(engine, request, sha256);
    return !digest.ok || digest.value !== expected;
  });
  return different === -1
    ? ok()
    : err(rejection('document.check', `Check ${different} has another answer in this version of the edge.`));
}
