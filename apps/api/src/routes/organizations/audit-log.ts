import { list } from '@zonewright/api-description';
import { auditActions, UserId } from '@zonewright/core';
import { z } from 'zod';
import { allOf, moment, pageParameters } from '../../http/query.ts';
import { protectedRoute, sessionRoute } from '../../http/route.ts';
import {
  accountEventResource,
  auditEntryResource,
  presentAccountLog,
  presentAuditLog,
} from '../../present/organizations/audit-log.ts';
import { organizationParameter } from '../parameters.ts';

const auditAction = z.enum(auditActions);
const AccountQuery = z.object({
  ...pageParameters,
  action: auditAction.optional().meta({ description: 'What happened.' }),
  'action[]': z.array(auditAction).optional().meta({ description: 'Any of these actions.' }),
  since: moment.optional().meta({ description: 'Only entries at or after this time.' }),
  until: moment.optional().meta({ description: 'Only entries before this time.' }),
});
const AuditQuery = AccountQuery.extend({
  actor: UserId.optional().meta({ description: 'Id of the user who performed the action.' }),
});

export const auditLogRoutes = [
  sessionRoute({
    method: 'get',
    path: '/api/users/me/audit-log',
    cost: 'constant',
    summary: 'Read what happened to your account.',
    description:
      'Newest first: signing in, second factors, addresses, API tokens, and attempts that were refused. What happened ' +
      'in an organization is in its own audit log.',
    answers: list(accountEventResource),
    query: AccountQuery,
    run: ({ caller, query: { page, itemsPerPage, ...query }, useCases }) =>
      useCases.readAccountLog(
        caller,
        { actions: allOf(query.action, query['action[]']), since: query.since, until: query.until },
        { page, itemsPerPage },
      ),
    present: (entries, { query }) => ({ body: presentAccountLog(entries, query) }),
  }),
  protectedRoute({
    method: 'get',
    path: '/api/organizations/:id/audit-log',
    cost: 'constant',
    permission: 'audit:read',
    summary: 'Read the audit log of an organization.',
    description: 'Newest first. For owners and admins.',
    answers: list(auditEntryResource),
    params: organizationParameter,
    query: AuditQuery,
    run: ({ caller, params, query: { page, itemsPerPage, ...query }, useCases }) =>
      useCases.readAuditLog(
        caller,
        {
          organization: params.id,
          actions: allOf(query.action, query['action[]']),
          actor: query.actor,
          since: query.since,
          until: query.until,
        },
        { page, itemsPerPage },
      ),
    present: (entries, { query }) => ({ body: presentAuditLog(entries, query) }),
  }),
];
