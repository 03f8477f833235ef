import { err, ok, type ResultAsync } from 'neverthrow';
import type { JsonObject } from '../../kernel/shared/json.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import {
  type LoadBalancerNotFound,
  loadBalancerNotFound,
  type OriginServerNotFound,
  originServerNotFound,
} from '../../organizations/backends/errors.ts';
import {
  type OrganizationAccessError,
  permittedOrganization,
} from '../../organizations/organizations/organization-access.ts';
import type { Organizations } from '../../organizations/organizations/ports.ts';
import type { BackendOfOrganization, BackendRevisionSummary } from '../history/backend-revision.ts';
import type { BackendHistory } from '../history/ports.ts';
import type { PatchPair, RevisionNotFound, RevisionNumber } from '../history/revision.ts';
import { patchPair } from '../history/zone-document.ts';

interface Repositories {
  readonly backendHistory: BackendHistory;
  readonly organizations: Organizations;
}

type BackendNotFound = OriginServerNotFound | LoadBalancerNotFound;

/** The revisions of an origin server or load balancer, newest first; also of a deleted one, while they are kept. */
export const listBackendRevisions =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (
    caller: Caller,
    backend: BackendOfOrganization,
    page: PageRequest,
  ): ResultAsync<Page<BackendRevisionSummary>, OrganizationAccessError | BackendNotFound> =>
    unitOfWork.view((repositories) =>
      permittedOrganization(repositories, caller, backend.organizationId, 'backends.read')
        .andThen(() => repositories.backendHistory.list(backend, page))
        .andThen((found) => {
          // An existing backend always has a revision.
          if (found.totalItems > 0) return ok(found);
          return err(backend.kind === 'origin_server' ? originServerNotFound() : loadBalancerNotFound());
        }),
    );

/** A revision of a backend with its state at that time. */
export interface BackendRevisionDetails extends PatchPair {
  readonly revision: BackendRevisionSummary;
  /** A merge patch that restores the backend: members it did not have are null. Empty for a deletion. */
  readonly state: JsonObject;
}

/** One change of an origin server or load balancer, and its state after it. */
export const readBackendRevision =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (
    caller: Caller,
    backend: BackendOfOrganization,
    number: RevisionNumber,
  ): ResultAsync<BackendRevisionDetails, OrganizationAccessError | RevisionNotFound> =>
    unitOfWork.view((repositories) =>
      permittedOrganization(repositories, caller, backend.organizationId, 'backends.read')
        .andThen(() => repositories.backendHistory.byNumber(backend, number))
        .map(({ before, state, ...revision }) => ({
          revision,
          ...patchPair(before, state),
          state:
            Object.keys(state).length === 0 ? state : { ...state, requestHostname: state['requestHostname'] ?? null },
        })),
    );
