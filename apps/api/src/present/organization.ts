import { type Organization, OrganizationId, OrganizationName, organizationVersion } from '@zonewright/core';
import { z } from 'zod';
import { type ResourceDescription, readOnly, timestamp } from '../resources/description.ts';
import { iri } from '../resources/iri.ts';
import { Item } from '../resources/resource.ts';
import { presentPage } from './page.ts';

/** An organization, as its members see it. */
export const organizationResource = {
  type: 'Organization',
  title: 'organization',
  description: 'Who zones belong to: people with roles, under common rules.',
  schema: z.object({
    id: readOnly(OrganizationId, 'Number of the organization.'),
    name: OrganizationName.meta({ description: 'Name; several organizations may share one.', examples: ['Example'] }),
    enforceTwoFactor: z.boolean().meta({
      description: 'Whether members without a second factor are kept out.',
      examples: [false],
    }),
    createdAt: timestamp('When the organization was founded.'),
    updatedAt: timestamp('When the name or the rule on second factors changed last.'),
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
