import { type ResourceDescription, readOnlyMembers } from '@zonewright/api-description';
import type { InvalidInput, JsonObject, OrganizationId } from '@zonewright/core';
import type { Result } from 'neverthrow';
import { iri } from '../../resources/iri.ts';
import { requireSameParent, writableMembers } from '../../resources/resource-body.ts';

/** The writable members of a backend, which cannot move to another organization. */
export const backendMembers = (
  resource: ResourceDescription,
  body: JsonObject,
  organization: OrganizationId,
): Result<JsonObject, InvalidInput> =>
  requireSameParent(body, 'organization', [organization, String(organization), iri.organization(organization)]).map(
    () => writableMembers(body, readOnlyMembers(resource)),
  );
