import { type Invitation, invitationVersion } from '@zonewright/core';
import { iri } from '../http/iri.ts';
import { Item } from '../http/resource.ts';
import { presentPage } from './page.ts';

export const presentInvitation = (invitation: Invitation): Item =>
  new Item({
    type: 'Invitation',
    iri: iri.invitation(invitation),
    version: invitationVersion(invitation),
    members: {
      id: invitation.id,
      organization: iri.organization(invitation.organizationId),
      email: invitation.email,
      role: invitation.role,
      status: invitation.status,
      createdAt: invitation.createdAt,
      expiresAt: invitation.expiresAt,
    },
  });

export const presentInvitations = presentPage('Invitation', presentInvitation);
