import { InvitationId, type Invitations, OrganizationName } from '@zonewright/core';
import type { Added } from './added.ts';
import { anEmail, aTokenHash, unique, uuid } from './ids.ts';

/** The argument of `Invitations.add`. */
export type NewInvitation = Added<Invitations['add']>;

/** An invitation of a new person as an editor. */
export const anInvitation = (
  given: Partial<NewInvitation> & Pick<NewInvitation, 'organizationId' | 'invitedBy'>,
): NewInvitation => ({
  id: InvitationId.parse(uuid()),
  email: anEmail(),
  role: 'editor',
  hash: aTokenHash(),
  lifetimeSeconds: 1000,
  ...given,
});

/** A unique organization name. */
export const anOrganizationName = (): OrganizationName => OrganizationName.parse(`Organization ${unique()}`);
