import { list, item as one } from '@zonewright/api-description';
import { type BackendKind, type BackendOfOrganization, type RevisionNumber, readPermissions } from '@zonewright/core';
import { revalidated } from '../../http/answer.ts';
import { PageQuery } from '../../http/query.ts';
import { protectedRoute } from '../../http/route.ts';
import type { PathParameters } from '../../http/route-row.ts';
import {
  backendRevisionResources,
  presentBackendRevision,
  presentBackendRevisions,
} from '../../present/zones/backend-revision.ts';
import {
  loadBalancerParameters,
  loadBalancerRevisionParameters,
  originServerParameters,
  originServerRevisionParameters,
} from '../parameters.ts';

/** The differences between the two kinds of backends. */
interface Kind<P> {
  readonly kind: BackendKind;
  readonly path: string;
  readonly word: string;
  readonly params: PathParameters<P>;
  readonly numbered: PathParameters<P & { readonly number: RevisionNumber }>;
  readonly backendIn: (params: P) => Omit<BackendOfOrganization, 'kind'>;
}

const revisionsOf = <P>({ kind, path, word, params: those, numbered, backendIn }: Kind<P>) => [
  protectedRoute({
    method: 'get',
    path,
    cost: 'stored',
    permission: readPermissions.backends,
    summary: `List the revisions of ${word}, newest first.`,
    description:
      'They remain available after its deletion, as long as a revision of a zone refers to it. To get the patches, read a single revision.',
    answers: list(backendRevisionResources[kind].summary),
    params: those,
    query: PageQuery,
    run: ({ caller, params, query, useCases }) =>
      useCases.listBackendRevisions(caller, { ...backendIn(params), kind }, query),
    present: (page, { query }) => revalidated(presentBackendRevisions(kind)(page, query)),
  }),
  protectedRoute({
    method: 'get',
    path: `${path}/:number`,
    cost: 'stored',
    permission: readPermissions.backends,
    summary: `Read a revision of ${word} and its state after it.`,
    description: 'With the merge patches (RFC 7396) that make and undo the change.',
    answers: one(backendRevisionResources[kind].details),
    params: numbered,
    run: ({ caller, params, useCases }) =>
      useCases.readBackendRevision(caller, { ...backendIn(params), kind }, params.number),
    present: (details) => revalidated(presentBackendRevision(details)),
  }),
];

export const backendRevisionRoutes = [
  ...revisionsOf({
    kind: 'origin_server',
    path: '/api/organizations/:id/origin-servers/:originServer/revisions',
    word: 'an origin server',
    params: originServerParameters,
    numbered: originServerRevisionParameters,
    backendIn: ({ id, originServer }) => ({ organizationId: id, id: originServer }),
  }),
  ...revisionsOf({
    kind: 'load_balancer',
    path: '/api/organizations/:id/load-balancers/:loadBalancer/revisions',
    word: 'a load balancer',
    params: loadBalancerParameters,
    numbered: loadBalancerRevisionParameters,
    backendIn: ({ id, loadBalancer }) => ({ organizationId: id, id: loadBalancer }),
  }),
];
