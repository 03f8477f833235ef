import { object } from '@zonewright/api-description';
import { type FeedAnswer, positionText, StateReport } from '@zonewright/core';
import { z } from 'zod';
import type { Members } from '../../resources/resource.ts';

const digest = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .meta({ description: 'Names the document, at `GET /edge/v1/documents/{digest}`.' });

const NamedZone = z.object({
  id: z.uuid().meta({ description: 'Id of the zone.' }),
  revision: z.int().min(1).meta({ description: 'Its revision.' }),
  digest,
  hostnames: z.array(z.string()).meta({ description: 'Host names that are delivered.' }),
});
const RemovedZone = z.object({
  id: z.uuid().meta({ description: 'Id of the zone.' }),
  removed: z.literal(true).meta({ description: 'The edge has to remove the zone.' }),
});

/** Response: what has changed since a position. */
export const changes = object(
  'EdgeChanges',
  z.object({
    position: z.string().meta({ description: 'Send it as `after` next time. Opaque.' }),
    more: z.boolean().meta({ description: 'Whether there is more after `position` already.' }),
    reset: z.boolean().meta({ description: 'Whether `after` is unknown: this begins the whole present state.' }),
    shrink: z
      .literal(true)
      .optional()
      .meta({ description: 'This removes many zones, and is meant to: more than 10, and more than a fifth.' }),
    zones: z.array(z.union([NamedZone, RemovedZone])).meta({ description: 'Each zone once, as it is now.' }),
    purges: z.array(z.unknown()).max(0).meta({ description: 'Empty.' }),
  }),
);

export const presentChanges = ({ position, more, reset, shrink, zones }: FeedAnswer): Members => ({
  position: positionText(position),
  more,
  reset,
  ...(shrink ? { shrink } : {}),
  zones: zones.map(({ id, document }) =>
    document === undefined
      ? { id, removed: true }
      : { id, revision: document.revision, digest: document.digest, hostnames: document.hostnames },
  ),
  purges: [],
});

/** Response: the edge document of a zone. */
export const edgeDocument = object(
  'EdgeDocument',
  z.object({
    format: z.literal(1).meta({ description: 'Format of the document.' }),
    semantics: z.literal(1).meta({ description: 'Number of the meaning of configurations.' }),
    zone: z
      .object({ id: z.uuid(), name: z.string(), tag: z.string(), organization: z.string() })
      .meta({ description: 'The zone; `organization` is an IRI.' }),
    revision: z.int().min(1).meta({ description: 'The revision of the zone.' }),
    hostnames: z.array(z.string()).meta({ description: 'Host names that are delivered.' }),
    document: z.record(z.string(), z.unknown()).meta({ description: 'The zone, as the `state` of its revision.' }),
    backends: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Those that the document names, by id: each as the API reads it, with its `kind`.' }),
    basicAuthUsers: z
      .record(z.string(), z.object({ username: z.string(), hash: z.string() }))
      .meta({ description: 'All of the zone, by id.' }),
    checks: z
      .array(z.object({ request: z.record(z.string(), z.unknown()), sha256: z.string() }))
      .max(20)
      .meta({ description: 'Requests, and the SHA-256 of what the engine of the service answers to them (RFC 8785).' }),
  }),
);

/** Response: an enrolled edge. */
export const enrolment = object(
  'EdgeEnrolment',
  z.object({
    edge: z.uuid().meta({ description: 'Id of the edge.' }),
    name: z.string().meta({ description: 'Its name.' }),
    key: z.string().meta({ description: 'Its credential. It cannot be read again.' }),
  }),
  201,
);

const member = <S extends z.ZodType>(schema: S, description: string, example?: unknown): S =>
  schema.meta({ description, ...(example === undefined ? {} : { examples: [example] }) });

const { shape } = StateReport;
const Rejection = shape.zones.shape.rejected.element.shape;

/** Body: what an edge reports; validated by `StateReport`. */
export const stateReport = z.object({
  version: member(shape.version, 'Version of the program.', '1.0.0'),
  semantics: member(shape.semantics, 'The meaning of configurations that it implements.', 1),
  startedAt: member(
    shape.startedAt,
    'When the process started; tells two with one key apart.',
    '2026-01-15T09:30:00.000Z',
  ),
  position: z
    .string()
    .optional()
    .meta({ description: 'Up to where it has applied the feed; absent before the first.' }),
  zones: z
    .object({
      applied: member(z.int().min(0), 'How many zones it serves.', 1),
      rejected: z
        .array(
          z.object({
            id: member(Rejection.id, 'Id of the zone.'),
            digest: member(Rejection.digest, 'Of the document.', `sha256:${'0'.repeat(64)}`),
            code: member(Rejection.code, 'Why, for programs.', 'document.check'),
            message: member(Rejection.message, 'Why, for people.', 'Another answer.'),
          }),
        )
        .meta({ description: 'Documents that it does not use.' }),
    })
    .meta({ description: 'The zones of the edge.' }),
  purged: member(shape.purged, 'The highest sequence of a purge that it has applied; 0 before the first.', 0),
  proxy: z
    .object({
      kind: member(z.string(), 'The caching proxy in front of the edge, if any.', 'none'),
      version: member(z.string(), 'Its version.', ''),
    })
    .meta({ description: 'The caching proxy in front of the edge, if any.' }),
  capabilities: member(shape.capabilities, 'Settings that it cannot act on.', ['processingSsi']),
});
