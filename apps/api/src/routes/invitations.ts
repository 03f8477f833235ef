import {
  type AcceptInvitation,
  type CheckOrganizationAccess,
  type CreateInvitation,
  InvitationDraft,
  type ListInvitations,
  MailedToken,
  parse,
  type ReadInvitation,
  type ResendInvitation,
  type RevokeInvitation,
} from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../http/iri.ts';
import { formats, mediaTypes } from '../http/negotiation.ts';
import { pageParameters } from '../http/query.ts';
import { writableMembers } from '../http/resource-body.ts';
import { protectedRoute, revalidated, sessionRoute } from '../http/route.ts';
import { presentInvitation, presentInvitations } from '../present/invitation.ts';
import { presentMember } from '../present/member.ts';
import { invitationParameters, organizationParameter } from './parameters.ts';

export interface InvitationUseCases {
  readonly listInvitations: ListInvitations;
  readonly createInvitation: CreateInvitation;
  readonly readInvitation: ReadInvitation;
  readonly resendInvitation: ResendInvitation;
  readonly revokeInvitation: RevokeInvitation;
  readonly acceptInvitation: AcceptInvitation;
  readonly checkOrganizationAccess: CheckOrganizationAccess;
}

const collection = '/api/organizations/:id/invitations';
const item = `${collection}/:invitation`;
const readOnly = ['id', 'organization', 'status', 'createdAt', 'expiresAt'];
const ListQuery = z.object(pageParameters);
const AcceptBody = z.object({ token: MailedToken });

export const invitationRoutes = (useCases: InvitationUseCases) => [
  ...collectionRoutes(useCases),
  ...itemRoutes(useCases),
  sessionRoute({
    method: 'post',
    path: '/api/invitations/accept',
    formats: formats.plainFirst,
    body: (body) => parse(AcceptBody, body),
    run: ({ caller, body }) => useCases.acceptInvitation(caller, body.token),
    present: (member) => ({ status: 200, body: presentMember(member) }),
  }),
];

const collectionRoutes = (useCases: InvitationUseCases) => [
  protectedRoute({
    method: 'get',
    path: collection,
    formats: formats.plainFirst,
    params: organizationParameter,
    query: ListQuery,
    run: ({ caller, params, query }) => useCases.listInvitations(caller, params.id, query),
    present: (invitations, { query }) => ({
      status: 200,
      body: presentInvitations(invitations, query),
      cacheControl: revalidated,
    }),
  }),
  protectedRoute({
    method: 'post',
    path: collection,
    formats: formats.plainFirst,
    consumes: [mediaTypes.json, mediaTypes.linked],
    params: organizationParameter,
    permitted: (caller, { id }) => useCases.checkOrganizationAccess(caller, id, 'members.manage'),
    body: (body) => parse(InvitationDraft, writableMembers(body, readOnly)),
    run: ({ caller, params, body }) => useCases.createInvitation(caller, params.id, body),
    present: (invitation) => ({
      status: 201,
      body: presentInvitation(invitation),
      location: iri.invitation(invitation),
    }),
  }),
];

const itemRoutes = (useCases: InvitationUseCases) => [
  protectedRoute({
    method: 'get',
    path: item,
    formats: formats.plainFirst,
    params: invitationParameters,
    run: ({ caller, params }) => useCases.readInvitation(caller, params.id, params.invitation),
    present: (invitation) => ({ status: 200, body: presentInvitation(invitation), cacheControl: revalidated }),
  }),
  protectedRoute({
    method: 'post',
    path: `${item}/resend`,
    formats: formats.plainFirst,
    params: invitationParameters,
    run: ({ caller, params, expected }) => useCases.resendInvitation(caller, params.id, params.invitation, expected),
    present: (invitation) => ({ status: 200, body: presentInvitation(invitation) }),
  }),
  protectedRoute({
    method: 'delete',
    path: item,
    formats: formats.plainFirst,
    params: invitationParameters,
    run: ({ caller, params, expected }) => useCases.revokeInvitation(caller, params.id, params.invitation, expected),
    present: () => ({ status: 204 }),
  }),
];
