import { object, timestamp } from '@zonewright/api-description';
import type { ZoneDelivery } from '@zonewright/core';
import { z } from 'zod';
import type { Members } from '../../resources/resource.ts';

const count = (description: string) => z.int().min(0).meta({ description });

/** Response: how far a zone has come. */
export const delivery = object(
  'ZoneDelivery',
  z.object({
    revision: z.int().min(1).meta({ description: 'The present revision of the zone.' }),
    edges: z
      .object({
        total: count('Edges that serve the zone and are not draining.'),
        current: count('Those that have applied the present revision.'),
        behind: count('Those that have not applied it yet.'),
        rejected: count('Those that refuse it: see `problems`.'),
        silent: count('Those that have not reported for 90 seconds.'),
      })
      .meta({ description: 'Edges, counted by how they stand with the present revision.' }),
    currentSince: timestamp(
      'Since when all connected edges have had the present revision; absent while one of them has not, or none is connected.',
    ).optional(),
    halted: z
      .literal(true)
      .optional()
      .meta({ description: 'A canary edge has rejected the revision, so that no other edge is offered it.' }),
    hostnames: z
      .array(z.object({ name: z.string(), delivered: z.boolean(), reason: z.string().optional() }))
      .meta({ description: 'The host names of the zone; `reason` says why one is not delivered.' }),
    problems: z
      .array(z.object({ edge: z.string(), code: z.string(), message: z.string(), revision: z.int() }))
      .meta({ description: 'What keeps edges from doing what the zone says.' }),
  }),
);

export const presentDelivery = ({
  revision,
  edges,
  currentSince,
  isHalted,
  hostnames,
  problems,
}: ZoneDelivery): Members => ({
  revision,
  edges,
  ...(currentSince && { currentSince }),
  ...(isHalted ? { halted: true } : {}),
  hostnames: hostnames.map(({ name, delivered, reason }) => ({ name, delivered, ...(reason && { reason }) })),
  problems: problems.map(({ edge, code, message, revision: of }) => ({ edge, code, message, revision: of })),
});
