import { createHash } from 'node:crypto';
import { type ResourceDescription, readOnly, timestamp } from '@zonewright/api-description';
import {
  type Organization,
  type OrganizationDetails,
  OrganizationId,
  OrganizationName,
  organizationVersion,
  ProviderId,
} from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { itemOf, presentPage } from '../item.ts';

const organizationMembers = {
  id: readOnly(OrganizationId, 'Id of the organization.'),
  name: OrganizationName.meta({ description: 'Name; does not have to be unique.', examples: ['Example'] }),
  enforceTwoFactor: z.boolean().meta({
    description: 'Whether members must enable two-factor authentication to access the organization.',
    examples: [false],
  }),
  requiredProvider: ProviderId.meta({
    description: 'Id of the provider that members must sign in by to access the organization; absent if none.',
  }).optional(),
  createdAt: timestamp('When the organization was created.'),
  updatedAt: timestamp('When the name or a policy last changed.'),
} as const;

/** An organization as its members see it. */
export const organizationResource = {
  type: 'Organization',
  title: 'organization',
  description: 'Owns zones; its members have roles and share its policies.',
  schema: z.object(organizationMembers),
} as const satisfies ResourceDescription;

/** A single organization with what it stores. */
export const organizationDetailsResource = {
  ...organizationResource,
  name: 'OrganizationDetails',
  schema: z.object({
    ...organizationMembers,
    storage: readOnly(
      z.object({ used: z.int().min(0), limit: z.int().min(0) }),
      'Bytes that the zones take up, and the maximum: settings and rules with their history, change sets and promotions; also of zones deleted within 30 days.',
    ),
  }),
} as const satisfies ResourceDescription;

export const presentOrganization = (organization: Organization) =>
  itemOf(organizationResource, identityOf(organization), organization);

/** An organization with what it stores, for the single read. */
export const presentOrganizationDetails = (organization: OrganizationDetails) => {
  const variant = variantOf(organization.storage);
  return itemOf(organizationDetailsResource, { ...identityOf(organization), variant }, organization);
};

const identityOf = (organization: Organization) => ({
  iri: iri.organization(organization.id),
  version: organizationVersion(organization),
});

/** The response shows what is stored, which is not covered by the organization's version. */
const variantOf = ({ used, limit }: OrganizationDetails['storage']): string =>
  `u${createHash('sha256').update(`${used} ${limit}`).digest('hex').slice(0, 8)}`;

export const presentOrganizations = presentPage(organizationResource.type, presentOrganization);
