import { created, item, list, readOnlyMembers, whole } from '@zonewright/api-description';
import { type DomainCheck, DomainDraft, parse, pendingDomainLifetimeSeconds } from '@zonewright/core';
import { revalidated } from '../../http/answer.ts';
import { limitsOf } from '../../http/limits.ts';
import { PageQuery } from '../../http/query.ts';
import { protectedRoute } from '../../http/route.ts';
import { domainResource, presentDomain, presentDomains } from '../../present/organizations/domain.ts';
import { writableMembers } from '../../resources/resource-body.ts';
import { domainParameters, organizationParameter } from '../parameters.ts';
import { noContent } from '../row-members.ts';

const collectionPath = '/api/organizations/:id/domains';
const itemPath = `${collectionPath}/:domain`;
const pendingDays = pendingDomainLifetimeSeconds / (24 * 60 * 60);

const { name } = domainResource.schema.shape;
const DomainBody = DomainDraft.extend({ name });
const readOnly = readOnlyMembers(domainResource);
/** Routes of the domains of an organization. */
export const domainRoutes = [
  protectedRoute({
    method: 'get',
    path: collectionPath,
    cost: 'constant',
    permission: 'members:read',
    summary: 'List the domains of an organization.',
    description: 'Ordered by name. For all members.',
    answers: list(domainResource),
    params: organizationParameter,
    query: PageQuery,
    run: ({ caller, params, query, useCases }) => useCases.listDomains(caller, params.id, query),
    present: (domains, { query }) => revalidated(presentDomains(domains, query)),
  }),
  protectedRoute({
    method: 'post',
    path: collectionPath,
    cost: 'constant',
    permission: 'admin',
    summary: 'Add a domain to an organization.',
    description:
      'For owners and admins. Then add the `record` of the response to DNS: the service looks for it after 1, 5, 15 and ' +
      `60 minutes and every six hours from then on. A domain that is never verified is deleted after ${pendingDays} days. ` +
      'Several organizations can verify the same domain; a host name belongs to one zone.',
    answers: created(domainResource),
    accepts: whole(DomainBody),
    params: organizationParameter,
    permitted: ({ caller, params: { id }, useCases }) => useCases.checkOrganizationAccess(caller, id, 'domains.write'),
    body: (body) => parse(DomainBody, writableMembers(body, readOnly)),
    run: ({ caller, params, body, useCases }) => useCases.createDomain(caller, params.id, body),
    present: (domain) => ({ body: presentDomain(domain) }),
  }),
  protectedRoute({
    method: 'get',
    path: itemPath,
    cost: 'constant',
    permission: 'members:read',
    summary: 'Read a domain.',
    description: 'With the record that has to be in DNS, and what the last check found. For all members.',
    answers: item(domainResource),
    params: domainParameters,
    run: ({ caller, params, useCases }) => useCases.readDomain(caller, params.id, params.domain),
    present: (domain) => revalidated(presentDomain(domain)),
  }),
  protectedRoute({
    method: 'post',
    path: `${itemPath}/verify`,
    cost: 'constant',
    permission: 'admin',
    summary: 'Look for the record of a domain now.',
    description:
      'For owners and admins. The response is the domain, whatever was found: see its `state` and its `problem`. Limited ' +
      'per domain.',
    answers: item(domainResource),
    params: domainParameters,
    permitted: ({ caller, params: { id }, useCases }) => useCases.checkOrganizationAccess(caller, id, 'domains.write'),
    limits: async ({ caller, params, useCases }) => {
      const mayVerify = await useCases.checkOrganizationAccess(caller, params.id, 'domains.write');
      return mayVerify.isOk() ? limitsOf.verifyDomain({ domain: params.domain }) : [];
    },
    prepare: ({ caller, params, useCases }) => useCases.checkRecord(caller, params.id, params.domain),
    run: ({ caller, params, body, expected, useCases }) =>
      // What `prepare` resolves to, which the compiler does not infer.
      useCases.verifyDomain(caller, params.id, params.domain, body as DomainCheck, expected),
    present: (domain) => ({ body: presentDomain(domain) }),
  }),
  protectedRoute({
    method: 'delete',
    path: itemPath,
    cost: 'constant',
    permission: 'admin',
    summary: 'Remove a domain.',
    description: 'For owners and admins. Not possible while zones have host names that it covers.',
    ...noContent,
    errors: ['DomainInUse'],
    params: domainParameters,
    run: ({ caller, params, expected, useCases }) => useCases.deleteDomain(caller, params.id, params.domain, expected),
  }),
];
