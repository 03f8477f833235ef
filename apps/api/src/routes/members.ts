import {
  type ChangeMemberRole,
  type CheckOrganizationAccess,
  type ListMembers,
  MemberSettings,
  parse,
  type ReadMember,
  type RemoveMember,
} from '@zonewright/core';
import { z } from 'zod';
import { formats, mediaTypes } from '../http/negotiation.ts';
import { pageParameters } from '../http/query.ts';
import { writableMembers } from '../http/resource-body.ts';
import { protectedRoute, revalidated } from '../http/route.ts';
import { presentMember, presentMembers } from '../present/member.ts';
import { memberParameters, organizationParameter } from './parameters.ts';

export interface MemberUseCases {
  readonly listMembers: ListMembers;
  readonly readMember: ReadMember;
  readonly changeMemberRole: ChangeMemberRole;
  readonly removeMember: RemoveMember;
  readonly checkOrganizationAccess: CheckOrganizationAccess;
}

const collection = '/api/organizations/:id/members';
const item = `${collection}/:user`;
const ListQuery = z.object(pageParameters);

export const memberRoutes = (useCases: MemberUseCases) => [
  protectedRoute({
    method: 'get',
    path: collection,
    formats: formats.plainFirst,
    params: organizationParameter,
    query: ListQuery,
    run: ({ caller, params, query }) => useCases.listMembers(caller, params.id, query),
    present: (page, { query }) => ({ status: 200, body: presentMembers(page, query), cacheControl: revalidated }),
  }),
  protectedRoute({
    method: 'get',
    path: item,
    formats: formats.plainFirst,
    params: memberParameters,
    run: ({ caller, params }) => useCases.readMember(caller, params.id, params.user),
    present: (member) => ({ status: 200, body: presentMember(member), cacheControl: revalidated }),
  }),
  protectedRoute({
    method: 'patch',
    path: item,
    formats: formats.plainFirst,
    consumes: [mediaTypes.mergePatch],
    params: memberParameters,
    permitted: (caller, { id }) => useCases.checkOrganizationAccess(caller, id, 'members.manage'),
    body: (body) =>
      parse(MemberSettings.partial(), writableMembers(body, ['id', 'user', 'joinedAt', 'twoFactorEnabled'])),
    run: ({ caller, params: { id, user }, body: { role }, expected }) =>
      useCases.changeMemberRole(caller, id, user, role, expected),
    present: (member) => ({ status: 200, body: presentMember(member) }),
  }),
  protectedRoute({
    method: 'delete',
    path: item,
    formats: formats.plainFirst,
    params: memberParameters,
    run: ({ caller, params, expected }) => useCases.removeMember(caller, params.id, params.user, expected),
    present: () => ({ status: 204 }),
  }),
];
