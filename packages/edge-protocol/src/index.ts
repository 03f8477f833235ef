/**
 * The messages between the service and its edges. Readers ignore unknown members, so that members can be added; descriptions
 * are for the API's documents.
 */
import { z } from 'zod';

type Immutable<T> = T extends object ? { readonly [Key in keyof T]: Immutable<T[Key]> } : T;

const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const ZoneId = z.string().min(1).meta({ description: 'Id of the zone.', format: 'uuid' });
const HostNames = z.array(z.string()).meta({ description: 'Host names that are delivered.' });
const Revision = z.int().min(1).meta({ description: 'The revision of the zone.' });

const NamedZone = z.object({
  id: ZoneId,
  revision: Revision,
  digest: Digest.meta({ description: 'Names the document, at `GET /edge/v1/documents/{digest}`.' }),
  hostnames: HostNames,
});
/** A zone that the edge should serve, as the feed names it. */
export type NamedZone = Immutable<z.output<typeof NamedZone>>;

const RemovedZone = z.object({
  id: ZoneId,
  removed: z.literal(true).meta({ description: 'The edge has to remove the zone.' }),
});

/** What has changed since a position. A feed of states: each zone appears once, as it is now. */
export const Changes = z.object({
  position: z.string().min(1).meta({ description: 'Send it as `after` next time. Opaque.' }),
  more: z.boolean().meta({ description: 'Whether there is more after `position` already.' }),
  reset: z.boolean().meta({ description: 'Whether `after` is unknown: this begins the whole present state.' }),
  shrink: z
    .literal(true)
    .optional()
    .meta({ description: 'This removes many zones, and is meant to: more than 10, and more than a fifth.' }),
  zones: z.array(z.union([NamedZone, RemovedZone])).meta({ description: 'Each zone once, as it is now.' }),
});
export type Changes = Immutable<z.output<typeof Changes>>;

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

/** The only format of documents, and the only number of the meaning of configurations. */
export const documentFormat = { format: 1, semantics: 2 } as const;

/** JSON objects that only the engine reads. */
const members = z.record(z.string(), z.unknown());

/** All that an edge needs of one zone at one time; immutable, named by its digest. */
export const EdgeDocument = z.object({
  format: z.literal(documentFormat.format).meta({ description: 'Format of the document.' }),
  semantics: z.literal(documentFormat.semantics).meta({ description: 'Number of the meaning of configurations.' }),
  zone: z
    .object({ id: z.string().meta({ format: 'uuid' }), name: z.string(), tag: z.string(), organization: z.string() })
    .meta({ description: 'The zone; `organization` is an IRI.' }),
  revision: Revision,
  /** Lower-case A-labels; a leading `*.` matches exactly one label. */
  hostnames: HostNames,
  document: members.meta({ description: 'The zone, as the `state` of its revision.' }),
  backends: z
    .record(z.string(), z.discriminatedUnion('kind', [OriginServer, LoadBalancer]))
    .meta({ description: 'Those that the document names, by id: each as the API reads it, with its `kind`.' }),
  /** `hash` as the service stores it. */
  basicAuthUsers: z
    .record(z.string(), z.object({ username: z.string(), hash: z.string() }))
    .meta({ description: 'All of the zone, by id.' }),
  checks: z
    .array(z.object({ request: members, sha256: z.string() }))
    .meta({ description: 'Requests, and the SHA-256 of what the engine of the service answers to them (RFC 8785).' }),
});
export type EdgeDocument = Immutable<z.output<typeof EdgeDocument>>;

/** What an enrolment token is exchanged for. */
export const Enrolment = z.object({
  edge: z.string().meta({ description: 'Id of the edge.', format: 'uuid' }),
  name: z.string().meta({ description: 'Its name.' }),
  key: z
    .string()
    .regex(/^zwe_[\x21-\x7e]{20,500}$/)
    .meta({ description: 'Its credential. It cannot be read again.' }),
});
export type Enrolment = Immutable<z.output<typeof Enrolment>>;

const shortText = z.string().max(200);

const RejectedDocument = z.object({
  id: z
    .uuid()
    .overwrite((id) => id.toLowerCase())
    .meta({ description: 'Id of the zone.' }),
  digest: Digest.meta({ description: 'Of the document.', examples: [`sha256:${'0'.repeat(64)}`] }),
  code: z
    .string()
    .regex(/^[a-z]+\.[a-zA-Z]+$/)
    .max(50)
    .meta({ description: 'Why, for programs.', examples: ['document.check'] }),
  message: z
    .string()
    .max(500)
    .meta({ description: 'Why, for people.', examples: ['Another answer.'] }),
});
/** A document that an edge does not use. */
export type RejectedDocument = Immutable<z.output<typeof RejectedDocument>>;

/** Rejections that one report can have. */
const maxRejected = 10_000;

/** What an edge says about itself: whole, not what has changed. */
export const EdgeReport = z.object({
  version: shortText.meta({ description: 'Version of the program.', examples: ['1.0.0'] }),
  semantics: z
    .int()
    .min(1)
    .meta({ description: 'The meaning of configurations that it implements.', examples: [documentFormat.semantics] }),
  startedAt: z
    .string()
    .max(40)
    .meta({
      description: 'When the process started; tells two with one key apart.',
      examples: ['2026-01-15T09:30:00.000Z'],
    }),
  stateId: z
    .uuid()
    .optional()
    .meta({
      description:
        'Id of where it keeps its state: a process that started later with the same one takes over at once. Without it, ' +
        'another process is refused while one reports.',
    }),
  position: shortText.optional().meta({ description: 'Up to where it has applied the feed; absent before the first.' }),
  zones: z
    .object({
      applied: z
        .int()
        .min(0)
        .meta({ description: 'How many zones it serves.', examples: [1] }),
      rejected: z.array(RejectedDocument).max(maxRejected).meta({ description: 'Documents that it does not use.' }),
    })
    .meta({ description: 'The zones of the edge.' }),
  purged: z
    .int()
    .min(0)
    .meta({ description: 'The highest sequence of a purge that it has applied; 0 before the first.', examples: [0] }),
  proxy: z
    .object({
      kind: shortText.meta({ description: 'The caching proxy in front of the edge, if any.', examples: ['none'] }),
      version: shortText.meta({ description: 'Its version.', examples: [''] }),
    })
    .meta({ description: 'The caching proxy in front of the edge, if any.' }),
  unsupportedSettings: z
    .array(shortText)
    .max(100)
    .meta({ description: 'Settings that it cannot act on.', examples: [['processingSsi']] }),
});
export type EdgeReport = Immutable<z.input<typeof EdgeReport>>;
