import { type ResourceDescription, readOnly, readOnlyLink, timestamp, uuid } from '@zonewright/api-description';
import { type DeletedZone, deletedZoneVersion, environmentTags } from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { itemOf, presentPage } from '../item.ts';

/** A zone deleted in the last 30 days. */
export const deletedZoneResource = {
  type: 'DeletedZone',
  title: 'deleted zone',
  description: 'A zone that was deleted in the last 30 days and can be restored.',
  schema: z.object({
    id: uuid('Id of the zone.'),
    name: readOnly(z.string().meta({ examples: ['shop'] }), 'Name of the zone; another zone may have it by now.'),
    tag: readOnly(z.enum(environmentTags), 'Environment.'),
    organization: readOnlyLink('Organization', 'The organization the zone belonged to.'),
    revision: readOnly(z.int().min(1), 'Number of the last revision of the zone.'),
    deletedAt: timestamp('When the zone was deleted.'),
    deletedBy: readOnlyLink('User', 'The user who deleted the zone; absent once the account is deleted.').optional(),
    expiresAt: timestamp('When the zone can no longer be restored.'),
  }),
} as const satisfies ResourceDescription;

export const presentDeletedZone = (zone: DeletedZone) =>
  itemOf(
    deletedZoneResource,
    { iri: iri.deletedZone(zone), version: deletedZoneVersion(zone) },
    {
      ...zone,
      organization: iri.organization(zone.organizationId),
      deletedBy: zone.deletedBy && iri.user(zone.deletedBy),
    },
  );

export const presentDeletedZones = presentPage('DeletedZone', presentDeletedZone, [
  { variable: 'q', property: 'name' },
]);
