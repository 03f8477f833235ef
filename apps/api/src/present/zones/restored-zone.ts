import { type ResourceDescription, readOnly } from '@zonewright/api-description';
import type { MissingMode, MissingPart, ZoneDetails } from '@zonewright/core';
import { z } from 'zod';
import { Item } from '../../resources/resource.ts';
import { presentZoneDetails, zoneDetailsResource } from './zone.ts';

const MissingPart = z.object({
  path: z.string().meta({ description: 'Its path in the restored document.' }),
  kind: z.enum(['backend', 'basicAuthUser', 'setting', 'hostname']).meta({ description: 'What is missing.' }),
  id: z.uuid().optional().meta({ description: 'Id of the backend or the basic-auth user.' }),
  name: z.string().optional().meta({ description: 'Its name, if known.' }),
  effect: z
    .enum(['kept', 'leftOut'])
    .meta({ description: 'Whether the setting keeps its current value, or the restored value is left out.' }),
});

/** Documents the body member that permits restoring without missing parts. */
export const missingText = {
  description:
    'What to do if something that is referred to no longer exists: `refuse` the request, or `skip` it and restore the rest.',
  examples: ['skip'],
} as const;

/** A restored zone with its nested items. */
export const restoredZoneResource: ResourceDescription = {
  ...zoneDetailsResource,
  name: 'RestoredZone',
  schema: zoneDetailsResource.schema.extend({
    missing: readOnly(z.array(MissingPart), 'What could not be restored; only with `missing: "skip"`.').optional(),
  }),
};

/** A restored zone, and the parts that were skipped as missing. */
interface RestoredZone {
  readonly zone: ZoneDetails;
  readonly missing: readonly MissingPart[] | undefined;
}

/** The response to a restore request. */
export const restoredZone = (zone: ZoneDetails, missing: readonly MissingPart[], mode: MissingMode): RestoredZone => ({
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
