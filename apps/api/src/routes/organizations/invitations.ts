import { created, item, list, mediaTypes, readOnlyMembers, whole } from '@zonewright/api-description';
import {
  emailKey,
  InvitationDraft,
  invitationLifetimeSeconds,
  OrganizationId,
  parse,
  permissionToManage,
  resendsPerInvitation,
} from '@zonewright/core';
import { okAsync } from 'neverthrow';
import { revalidated } from '../../http/answer.ts';
import { limitsOf } from '../../http/limits.ts';
import { PageQuery } from '../../http/query.ts';
import { protectedRoute, sessionRoute } from '../../http/route.ts';
import { invitationResource, presentInvitation, presentInvitations } from '../../present/organizations/invitation.ts';
import { memberResource, presentMember } from '../../present/organizations/member.ts';
import { organizationIn } from '../../resources/iri.ts';
import { writableMembers } from '../../resources/resource-body.ts';
import { invitationParameters, organizationParameter } from '../parameters.ts';
import { noContent, tokenBody } from '../row-members.ts';

const collectionPath = '/api/organizations/:id/invitations';
const itemPath = `${collectionPath}/:invitation`;
const lifetimeDays = invitationLifetimeSeconds / (24 * 60 * 60);

const { email, role } = invitationResource.schema.shape;
const InvitationBody = InvitationDraft.extend({ email, role });
const readOnly = readOnlyMembers(invitationResource);
const AcceptBody = tokenBody('The token from the e-mail; works once.');

export const invitationRoutes = [
  protectedRoute({
    method: 'get',
    path: collectionPath,
    cost: 'constant',
    permission: 'members:read',
    summary: 'List the invitations of an organization.',
    description: 'Newest first, including invitations that are no longer pending. For owners and admins.',
    answers: list(invitationResource),
    params: organizationParameter,
    query: PageQuery,
    run: ({ caller, params, query, useCases }) => useCases.listInvitations(caller, params.id, query),
    present: (invitations, { query }) => revalidated(presentInvitations(invitations, query)),
  }),
  protectedRoute({
    method: 'post',
    path: collectionPath,
    cost: 'constant',
    permission: 'admin',
    summary: 'Invite someone to an organization.',
    description:
      `Sends an e-mail with a link that is valid for ${lifetimeDays} days. For owners and admins. Only owners can ` +
      'invite owners, and an API token cannot invite owners or admins. The response does not reveal whether the ' +
      'address has an account. E-mails are limited per user, and per invited address across all organizations. If ' +
      'you leave or lose the required role, your pending invitations are revoked.',
    answers: created(invitationResource),
    accepts: whole(InvitationBody),
    errors: ['InvitationPending', 'SessionRequired', 'ConfirmationRequired'],
    params: organizationParameter,
    permitted: ({ caller, params: { id }, useCases }) => useCases.checkOrganizationAccess(caller, id, 'members.manage'),
    body: (body) => parse(InvitationBody, writableMembers(body, readOnly)),
    limits: async ({ caller, params, body, useCases }) => {
      const mayInvite = await useCases.checkOrganizationAccess(caller, params.id, permissionToManage(body.role));
      return mayInvite.isOk() ? limitsOf.invite({ userId: caller.userId, emailKey: emailKey(body.email) }) : [];
    },
    run: ({ caller, params, body, useCases }) => useCases.createInvitation(caller, params.id, body),
    present: (invitation) => ({ body: presentInvitation(invitation) }),
  }),
  protectedRoute({
    method: 'get',
    path: itemPath,
    cost: 'constant',
    permission: 'members:read',
    summary: 'Read an invitation.',
    description: 'For owners and admins. The token is only in the e-mail.',
    answers: item(invitationResource),
    params: invitationParameters,
    run: ({ caller, params, useCases }) => useCases.readInvitation(caller, params.id, params.invitation),
    present: (invitation) => revalidated(presentInvitation(invitation)),
  }),
  protectedRoute({
    method: 'post',
    path: `${itemPath}/resend`,
    cost: 'constant',
    permission: 'admin',
    summary: 'Send a pending invitation again.',
    description:
      `With a new token that is valid for ${lifetimeDays} days; the previous token stops working. Possible at most ` +
      `${resendsPerInvitation} times, with the same rate limits as the first e-mail. For users who can invite with ` +
      'its role. The invitation is yours from then on.',
    answers: item(invitationResource),
    errors: ['InvitationEnded', 'InvitationResendLimit', 'SessionRequired', 'ConfirmationRequired', 'VersionMismatch'],
    params: invitationParameters,
    permitted: ({ caller, params: { id, invitation }, useCases }) =>
      useCases
        .readInvitation(caller, id, invitation)
        .andThen(({ role }) => useCases.checkOrganizationAccess(caller, id, permissionToManage(role))),
    limits: async ({ caller, params, useCases }) => {
      const invitation = await useCases.readInvitation(caller, params.id, params.invitation);
      return invitation.match(
        ({ email }) => limitsOf.invite({ userId: caller.userId, emailKey: emailKey(email) }),
        () => [],
      );
    },
    run: ({ caller, params, expected, useCases }) =>
      useCases.resendInvitation(caller, params.id, params.invitation, expected),
    present: (invitation) => ({ body: presentInvitation(invitation) }),
  }),
  protectedRoute({
    method: 'delete',
    path: itemPath,
    cost: 'constant',
    permission: 'admin',
    summary: 'Revoke an invitation.',
    description: 'Its token stops working. An invitation that is no longer pending does not change.',
    ...noContent,
    params: invitationParameters,
    run: ({ caller, params, expected, useCases }) =>
      useCases.revokeInvitation(caller, params.id, params.invitation, expected),
  }),
  sessionRoute({
    method: 'post',
    path: '/api/invitations/accept',
    cost: 'constant',
    summary: 'Accept an invitation.',
    description:
      'Only the user with the verified address it was sent to can accept it. Returns the membership; existing members keep their role.',
    answers: item(memberResource),
    accepts: whole(AcceptBody),
    consumes: [mediaTypes.json],
    // The last three to those who repeat the request after they have left.
    errors: [
      'InvitationTokenInvalid',
      'InvitationForAnother',
      'PermissionDenied',
      'TwoFactorRequired',
      'OrganizationNotFound',
    ],
    // The token is the permission to join; the membership is shown to members.
    permitted: ({ caller, repeated, useCases }) =>
      repeated === undefined
        ? okAsync()
        : parse(OrganizationId, organizationIn(repeated.shown)).asyncAndThen((id) =>
            useCases.checkOrganizationAccess(caller, id, 'organization.read'),
          ),
    body: (body) => parse(AcceptBody, body),
    run: ({ caller, body, useCases }) => useCases.acceptInvitation(caller, body.token),
    present: (member) => ({ body: presentMember(member) }),
  }),
];
