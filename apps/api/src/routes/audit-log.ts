import { auditActions, type ReadAuditLog, UserId } from '@zonewright/core';
import { z } from 'zod';
import { formats } from '../http/negotiation.ts';
import { moment, pageParameters } from '../http/query.ts';
import { protectedRoute } from '../http/route.ts';
import { presentAuditLog } from '../present/audit-log.ts';
import { organizationParameter } from './parameters.ts';

export interface AuditLogUseCases {
  readonly readAuditLog: ReadAuditLog;
}

const auditAction = z.enum(auditActions);
const AuditQuery = z.object({
  ...pageParameters,
  action: auditAction.optional(),
  'action[]': z.array(auditAction).optional(),
  actor: UserId.optional(),
  since: moment.optional(),
  until: moment.optional(),
});

export const auditLogRoutes = ({ readAuditLog }: AuditLogUseCases) => [
  protectedRoute({
    method: 'get',
    path: '/api/organizations/:id/audit-log',
    formats: formats.plainFirst,
    params: organizationParameter,
    query: AuditQuery,
    run: ({ caller, params, query: { page, itemsPerPage, ...query } }) =>
      readAuditLog(
        caller,
        {
          organization: params.id,
          actions: [...(query.action === undefined ? [] : [query.action]), ...(query['action[]'] ?? [])],
          actor: query.actor,
          since: query.since,
          until: query.until,
        },
        { page, itemsPerPage },
      ),
    present: (entries, { query }) => ({ body: presentAuditLog(entries, query) }),
  }),
];
