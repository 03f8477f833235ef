import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { type Rejection, rejection } from './rejection.ts';
import type { EdgeDocument } from './served-zone.ts';

/** The format of edge documents that this program reads. */
const format = 1;
/** The meaning of configurations that this program implements; newer ones are refused, never guessed. */
export const semantics = 1;

const members = z.record(z.string(), z.unknown());

/** Members that are added within a format are optional for an edge, so unknown ones are ignored. */
const OriginServer = z.object({
  kind: z.literal('origin_server'),
  id: z.string(),
  protocol: z.enum(['http', 'https']),
  address: z.string(),
  port: z.int().min(1).max(65_535),
  requestHostname: z.string().optional(),
});

const LoadBalancer = z.object({
  kind: z.literal('load_balancer'),
  id: z.string(),
  method: z.string(),
  requestHostname: z.string().optional(),
  origins: z.array(
    z.object({
      originServer: z.string(),
      weight: z.int().min(1).optional(),
      enabled: z.boolean().optional(),
    }),
  ),
});

const Document = z.object({
  format: z.literal(format),
  semantics: z.literal(semantics),
  zone: z.object({ id: z.string(), name: z.string(), tag: z.string(), organization: z.string() }),
  revision: z.int().min(1),
  hostnames: z.array(z.string()),
  document: members,
  backends: z.record(z.string(), z.discriminatedUnion('kind', [OriginServer, LoadBalancer])),
  basicAuthUsers: z.record(z.string(), z.object({ username: z.string(), hash: z.string() })),
  checks: z.array(z.object({ request: members, sha256: z.string() })),
});

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
