import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { type Rejection, rejection } from './rejection.ts';

/** The format of edge documents that this program reads. */
const format = 1;
/** The meaning of configurations that this program implements; newer ones are refused, never guessed. */
export const semantics = 1;

type Immutable<T> = T extends object ? { readonly [Key in keyof T]: Immutable<T[Key]> } : T;

/** JSON objects that only the engine reads. */
const members = z.record(z.string(), z.unknown());

const OriginServer = z.object({
  kind: z.literal('origin_server'),
  id: z.string(),
  protocol: z.enum(['http', 'https']),
  address: z.string(),
  port: z.int().min(1).max(65_535),
  /** Absent: the host of the request, or the load balancer's. */
  requestHostname: z.string().optional(),
});
/** A server, or a name that resolves to several, as the API reads it. */
export type OriginServer = Immutable<z.output<typeof OriginServer>>;

const LoadBalancer = z.object({
  kind: z.literal('load_balancer'),
  id: z.string(),
  method: z.string(),
  requestHostname: z.string().optional(),
  origins: z.array(
    z.object({
      /** IRI, whose last segment is the id. */
      originServer: z.string(),
      weight: z.int().min(1).optional(),
      enabled: z.boolean().optional(),
    }),
  ),
});
/** Distributes requests across origin servers, as the API reads it. */
export type LoadBalancer = Immutable<z.output<typeof LoadBalancer>>;

/** Members that are added within a format are optional for an edge, so unknown ones are ignored. */
const Document = z.object({
  format: z.literal(format),
  semantics: z.literal(semantics),
  /** `organization` is an IRI. */
  zone: z.object({ id: z.string(), name: z.string(), tag: z.string(), organization: z.string() }),
  revision: z.int().min(1),
  /** Lower-case A-labels; a leading `*.` matches exactly one label. */
  hostnames: z.array(z.string()),
  /** The zone and everything in it, as a revision of it reads in the API (`state`). */
  document: members,
  /** Those that the document refers to, by id. */
  backends: z.record(z.string(), z.discriminatedUnion('kind', [OriginServer, LoadBalancer])),
  /** All of the zone, by id; `hash` as the service stores it. */
  basicAuthUsers: z.record(z.string(), z.object({ username: z.string(), hash: z.string() })),
  /** Facts of requests, with the SHA-256 of what the service's engine answers, in canonical JSON (RFC 8785). */
  checks: z.array(z.object({ request: members, sha256: z.string() })),
});
/** All that an edge needs of one zone at one time; immutable, named by its digest. */
export type EdgeDocument = Immutable<z.output<typeof Document>>;

/** Read before the rest, which a newer format may write differently. */
const Head = z.object({ format: z.number(), semantics: z.number() });

/** Reads an edge document. */
export function parseEdgeDocument(text: string): Result<EdgeDocument, Rejection> {
  const json = parsed(text);
  if (json === undefined) return err(rejection('document.format', 'The document is not JSON.'));
  const head = Head.safeParse(json);
  if (!head.success) return err(rejection('document.format', 'The document names no format and semantics.'));
  if (head.data.format !== format)
    return err(rejection('document.format', `Format ${head.data.format} is not known; this edge reads ${format}.`));
  if (head.data.semantics !== semantics)
    return err(
      rejection('document.semantics', `Semantics ${head.data.semantics} are not known; this edge has ${semantics}.`),
    );
  const document = Document.safeParse(json);
  return document.success ? ok(document.data) : err(rejection('document.format', problemOf(document.error)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const problemOf = ({ issues: [first] }: z.ZodError): string =>
  first === undefined ? 'The document has another form.' : `${first.path.join('.')}: ${first.message}`;
