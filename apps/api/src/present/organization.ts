import { type Organization, OrganizationId, OrganizationName, organizationVersion } from '@zonewright/core';
import { z } from 'zod';
import { type ResourceDescription, readOnly, timestamp } from '../resources/description.ts';
import { iri } from '../resources/iri.ts';
import { Item } from '../resources/resource.ts';
import { presentPage } from './page.ts';

/** An organization as its members see it. */
export const organizationResource = {
  type: 'Organization',
  title: 'organization',
  description: 'Owns zones; its members have roles and share its policies.',
  schema: z.object({
    id: readOnly(OrganizationId, 'Id of the organization.'),
    name: OrganizationName.meta({ description: 'Name; does not have to be unique.', examples: ['Example'] }),
    enforceTwoFactor: z.boolean().meta({
      description: 'Whether members must enable two-factor authentication to access the organization.',
      examples: [false],
    }),
    createdAt: timestamp('When the organization was created.'),
    updatedAt: timestamp('When the name or the two-factor policy last changed.'),
  }),
} as const satisfies ResourceDescription;

export const presentOrganization = (organization: Organization): Item =>
  new Item({
    type: organizationResource.type,
    iri: iri.organization(organization.id),
    version: organizationVersion(organization),
    members: {
      id: organization.id,
      name: organization.name,
      enforceTwoFactor: organization.enforceTwoFactor,
      createdAt: organization.createdAt,
      updatedAt: organization.updatedAt,
    },
  });

export const presentOrganizations = presentPage(organizationResource.type, presentOrganization);
