import { item, list, mergePatchOn, readOnlyMembers } from '@zonewright/api-description';
import { MemberSettings, parse } from '@zonewright/core';
import { revalidated } from '../../http/answer.ts';
import { PageQuery } from '../../http/query.ts';
import { protectedRoute } from '../../http/route.ts';
import { memberResource, presentMember, presentMembers } from '../../present/organizations/member.ts';
import { writableMembers } from '../../resources/resource-body.ts';
import { memberParameters, organizationParameter } from '../parameters.ts';
import { noContent } from '../row-members.ts';

const collectionPath = '/api/organizations/:id/members';
const itemPath = `${collectionPath}/:user`;

const SettingsBody = MemberSettings.extend({ role: memberResource.schema.shape.role });
const readOnly = readOnlyMembers(memberResource);
export const memberRoutes = [
  protectedRoute({
    method: 'get',
    path: collectionPath,
    cost: 'constant',
    permission: 'members:read',
    summary: 'List the members of an organization.',
    description: 'In the order they joined.',
    answers: list(memberResource),
    params: organizationParameter,
    query: PageQuery,
    run: ({ caller, params, query, useCases }) => useCases.listMembers(caller, params.id, query),
    present: (page, { query }) => revalidated(presentMembers(page, query)),
  }),
  protectedRoute({
    method: 'get',
    path: itemPath,
    cost: 'constant',
    permission: 'members:read',
    summary: 'Read a member of an organization.',
    description: 'Whether the member uses two-factor authentication is shown to owners and admins only.',
    answers: item(memberResource),
    params: memberParameters,
    run: ({ caller, params, useCases }) => useCases.readMember(caller, params.id, params.user),
    present: (member) => revalidated(presentMember(member)),
  }),
  protectedRoute({
    method: 'patch',
    path: itemPath,
    cost: 'constant',
    permission: 'admin',
    summary: 'Change the role of a member.',
    description:
      'For owners and admins. Only owners can grant or revoke the owner role, and an API token cannot grant the ' +
      'owner or admin role. An organization always has an owner.',
    answers: item(memberResource),
    accepts: mergePatchOn(SettingsBody),
    errors: ['LastOwner', 'SessionRequired', 'ConfirmationRequired'],
    params: memberParameters,
    permitted: ({ caller, params: { id }, useCases }) => useCases.checkOrganizationAccess(caller, id, 'members.manage'),
    body: (body) => parse(SettingsBody.partial(), writableMembers(body, readOnly)),
    run: ({ caller, params: { id, user }, body: { role }, expected, useCases }) =>
      useCases.changeMemberRole(caller, id, user, role, expected),
    present: (member) => ({ body: presentMember(member) }),
  }),
  protectedRoute({
    method: 'delete',
    path: itemPath,
    cost: 'constant',
    permission: 'session',
    summary: 'Remove a member, or leave an organization.',
    description:
      'Any member can leave. Owners and admins can remove others, but only owners can remove owners. An ' +
      'organization always has an owner. API tokens are not accepted.',
    ...noContent,
    errors: ['LastOwner', 'SessionRequired', 'ConfirmationRequired'],
    params: memberParameters,
    run: ({ caller, params, expected, useCases }) => useCases.removeMember(caller, params.id, params.user, expected),
  }),
];
