import { type Organization, organizationVersion } from '@zonewright/core';
import { iri } from '../http/iri.ts';
import { Item } from '../http/resource.ts';
import { presentPage } from './page.ts';

export const presentOrganization = (organization: Organization): Item =>
  new Item({
    type: 'Organization',
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

export const presentOrganizations = presentPage('Organization', presentOrganization);
