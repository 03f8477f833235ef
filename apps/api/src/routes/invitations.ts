import {
  emailKey,
  InvitationDraft,
  invitationLifetimeSeconds,
  MailedToken,
  parse,
  permissionToManage,
  resendsPerInvitation,
  type UseCases,
} from '@zonewright/core';
import { z } from 'zod';
import { formats, mediaTypes } from '../http/negotiation.ts';
import { pageParameters } from '../http/query.ts';
import { protectedRoute, revalidated, sessionRoute } from '../http/route.ts';
import { limitsOf } from '../limits/rate-limits.ts';
import { invitationResource, presentInvitation, presentInvitations } from '../present/invitation.ts';
import { memberResource, presentMember } from '../present/member.ts';
import { created, exampleToken, item, list, nothing, readOnlyMembers, whole } from '../resources/description.ts';
import { iri } from '../resources/iri.ts';
import { writableMembers } from '../resources/resource-body.ts';
import { invitationParameters, organizationParameter } from './parameters.ts';

export type InvitationUseCases = Pick<
  UseCases,
  | 'listInvitations'
  | 'createInvitation'
  | 'readInvitation'
  | 'resendInvitation'
  | 'revokeInvitation'
  | 'acceptInvitation'
  | 'checkOrganizationAccess'
>;

const collectionPath = '/api/organizations/:id/invitations';
const itemPath = `${collectionPath}/:invitation`;
const lifetimeDays = invitationLifetimeSeconds / (24 * 60 * 60);

const { email, role } = invitationResource.schema.shape;
const InvitationBody = InvitationDraft.extend({ email, role });
const readOnly = readOnlyMembers(invitationResource);
const ListQuery = z.object(pageParameters);
const AcceptBody = z.object({
  token: MailedToken.meta({ description: 'The token of the mail; works once.', examples: [exampleToken] }),
});

export const invitationRoutes = (useCases: InvitationUseCases) => [
  ...collectionRoutes(useCases),
  ...itemRoutes(useCases),
  sessionRoute({
    method: 'post',
    path: '/api/invitations/accept',
    summary: 'Accept an invitation.',
    description:
      'For the user whose verified address it was sent to. Answers the membership; whoever is a member already keeps their role.',
    answers: item(memberResource),
    accepts: whole(AcceptBody),
    refuses: ['InvitationTokenInvalid', 'InvitationForAnother'],
    formats: formats.plainFirst,
    body: (body) => parse(AcceptBody, body),
    run: ({ caller, body }) => useCases.acceptInvitation(caller, body.token),
    present: (member) => ({ body: presentMember(member) }),
  }),
];

const collectionRoutes = (useCases: InvitationUseCases) => [
  protectedRoute({
    method: 'get',
    path: collectionPath,
    summary: 'List the invitations of an organization.',
    description: 'The newest first, those included that have ended. For owners and admins.',
    answers: list(invitationResource),
    formats: formats.plainFirst,
    params: organizationParameter,
    query: ListQuery,
    run: ({ caller, params, query }) => useCases.listInvitations(caller, params.id, query),
    present: (invitations, { query }) => ({
      body: presentInvitations(invitations, query),
      cacheControl: revalidated,
    }),
  }),
  protectedRoute({
    method: 'post',
    path: collectionPath,
    summary: 'Invite somebody into an organization.',
    description:
      `Mails a link that works for ${lifetimeDays} days. For owners and admins; only owners invite owners, and no API token ` +
      'owners or admins. The answer does not tell whether the address has an account. Mails are limited by user, and by ' +
      'invited address across all organizations. When you leave or lose the role that it takes, your pending invitations ' +
      'are revoked.',
    answers: created(invitationResource),
    accepts: whole(InvitationBody),
    refuses: ['InvitationPending', 'SessionRequired'],
    formats: formats.plainFirst,
    consumes: [mediaTypes.json, mediaTypes.linked],
    params: organizationParameter,
    permitted: (caller, { id }) => useCases.checkOrganizationAccess(caller, id, 'members.manage'),
    body: (body) => parse(InvitationBody, writableMembers(body, readOnly)),
    limits: async ({ caller, params, body }) => {
      const mayInvite = await useCases.checkOrganizationAccess(caller, params.id, permissionToManage(body.role));
      return mayInvite.isOk() ? limitsOf.invite({ userId: caller.userId, emailKey: emailKey(body.email) }) : [];
    },
    run: ({ caller, params, body }) => useCases.createInvitation(caller, params.id, body),
    present: (invitation) => ({
      body: presentInvitation(invitation),
      location: iri.invitation(invitation),
    }),
  }),
];

const itemRoutes = (useCases: InvitationUseCases) => [
  protectedRoute({
    method: 'get',
    path: itemPath,
    summary: 'Read an invitation.',
    answers: item(invitationResource),
    formats: formats.plainFirst,
    params: invitationParameters,
    run: ({ caller, params }) => useCases.readInvitation(caller, params.id, params.invitation),
    present: (invitation) => ({ body: presentInvitation(invitation), cacheControl: revalidated }),
  }),
  protectedRoute({
    method: 'post',
    path: `${itemPath}/resend`,
    summary: 'Send a pending invitation again.',
    description:
      `With a new token that works for ${lifetimeDays} days; the one sent before dies. At most ${resendsPerInvitation} times, and ` +
      'limited as the first mail is. For those who may invite with its role; from then on the invitation is yours.',
    answers: item(invitationResource),
    refuses: ['InvitationEnded', 'InvitationResendLimit', 'SessionRequired', 'VersionMismatch'],
    formats: formats.plainFirst,
    params: invitationParameters,
    limits: async ({ caller, params }) => {
      const invitation = await useCases.readInvitation(caller, params.id, params.invitation);
      return invitation.match(
        ({ email }) => limitsOf.invite({ userId: caller.userId, emailKey: emailKey(email) }),
        () => [],
      );
    },
    run: ({ caller, params, expected }) => useCases.resendInvitation(caller, params.id, params.invitation, expected),
    present: (invitation) => ({ body: presentInvitation(invitation) }),
  }),
  protectedRoute({
    method: 'delete',
    path: itemPath,
    summary: 'Take an invitation back.',
    description: 'Its token is worth nothing from then on. One that has ended already stays as it is.',
    answers: nothing,
    formats: formats.plainFirst,
    params: invitationParameters,
    run: ({ caller, params, expected }) => useCases.revokeInvitation(caller, params.id, params.invitation, expected),
    present: () => ({}),
  }),
];
