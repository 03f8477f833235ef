import type { Missing, MissingMode, ZoneDetails } from '@zonewright/core';
import { z } from 'zod';
import { type ResourceDescription, readOnly } from '../resources/description.ts';
import { Item } from '../resources/resource.ts';
import { presentZoneDetails, zoneDetailsResource } from './zone.ts';

const MissingPart = z.object({
  path: z.string().meta({ description: 'Its path in the restored document.' }),
  kind: z.enum(['backend', 'basicAuthUser', 'setting']).meta({ description: 'What is missing.' }),
  id: z.uuid().optional().meta({ description: 'Id of the backend or the basic-auth user.' }),
  name: z.string().optional().meta({ description: 'Its name, if known.' }),
  effect: z
    .enum(['kept', 'leftOut'])
    .meta({ description: 'Whether the setting keeps its current value, or the restored value is left out.' }),
});

/** What is said of the member of bodies that asks for a restoration without what is missing. */
export const missingText = {
  description:
    'What to do if something that is referred to no longer exists: `refuse` the request, or `skip` it and restore the rest.',
  examples: ['skip'],
} as const;

/** A zone after a restoration, with everything inside it. */
export const restoredZoneResource: ResourceDescription = {
  ...zoneDetailsResource,
  name: 'RestoredZone',
  schema: zoneDetailsResource.schema.extend({
    missing: readOnly(z.array(MissingPart), 'What could not be restored; only with `missing: "skip"`.').optional(),
  }),
};

/** A restored zone, and what of it is missing where that was skipped. */
interface RestoredZone {
  readonly zone: ZoneDetails;
  readonly missing: readonly Missing[] | undefined;
}

/** What a restoration answers with. */
export const restoredZone = (zone: ZoneDetails, missing: readonly Missing[], mode: MissingMode): RestoredZone => ({
  zone,
  missing: mode === 'skip' ? missing : undefined,
});

export function presentRestoredZone({ zone, missing }: RestoredZone): Item {
  const item = presentZoneDetails(zone);
  if (missing === undefined) return item;
  const { type, iri, version, members } = item;
  const parts = missing.map(({ path, kind, id, name, effect }) => ({ path, kind, id, name, effect }));
  return new Item({ type, iri, version, members: { ...members, missing: parts } });
}
