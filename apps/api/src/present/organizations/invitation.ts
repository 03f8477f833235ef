import { type ResourceDescription, readOnly, readOnlyLink, timestamp, uuid } from '@zonewright/api-description';
import { Email, type Invitation, invitationStatuses, invitationVersion, roles } from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { itemOf, presentPage } from '../item.ts';

/** An invitation to join an organization. */
export const invitationResource = {
  type: 'Invitation',
  title: 'invitation',
  description:
    'An offer to join an organization, sent to an e-mail address. It does not reveal whether the address has an account.',
  schema: z.object({
    id: uuid('Id of the invitation.'),
    organization: readOnlyLink('Organization', 'The organization to join.'),
    email: Email.meta({ description: 'E-mail address the invitation is sent to.', examples: ['guest@example.com'] }),
    role: z.enum(roles).meta({ description: 'The role granted on acceptance.', examples: ['editor'] }),
    status: readOnly(z.enum(invitationStatuses), 'Only a pending invitation can be accepted.'),
    createdAt: timestamp('When the invitation was created.'),
    expiresAt: timestamp('When the most recently sent token expires.'),
  }),
} as const satisfies ResourceDescription;

export const presentInvitation = (invitation: Invitation) =>
  itemOf(
    invitationResource,
    { iri: iri.invitation(invitation), version: invitationVersion(invitation) },
    {
      ...invitation,
      organization: iri.organization(invitation.organizationId),
    },
  );

export const presentInvitations = presentPage(invitationResource.type, presentInvitation);
