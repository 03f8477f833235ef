import { object } from '@zonewright/api-description';
import { type FeedAnswer, positionText } from '@zonewright/core';
import { Changes, EdgeDocument, Enrolment } from '@zonewright/edge-protocol';
import { z } from 'zod';
import type { Members } from '../../resources/resource.ts';

/** Response: what has changed since a position. */
export const changes = object(
  'EdgeChanges',
  Changes.extend({ purges: z.array(z.unknown()).max(0).meta({ description: 'Empty.' }) }),
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

const { backends, checks } = EdgeDocument.shape;

/** Response: the edge document of a zone, which its digest tags. Edges read only some members of backends. */
export const edgeDocument = {
  ...object(
    'EdgeDocument',
    EdgeDocument.extend({
      backends: z.record(z.string(), z.unknown()).meta({ description: backends.description }),
      checks: checks.max(20).meta({ description: checks.description }),
    }),
  ),
  isTagged: true,
} as const;

/** Response: an enrolled edge. */
export const enrolment = object('EdgeEnrolment', Enrolment, 201);
