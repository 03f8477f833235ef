import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { mayReadBackends } from '../backends/backend-access.ts';
import type { BackendOfOrganization, BackendRevision, BackendRevisionSummary } from '../history/backend-revision.ts';
import type { PatchPair, RevisionNotFound, RevisionNumber } from '../history/revision.ts';
import { patchPair } from '../history/zone-document.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { JsonObject } from '../shared/merge-patch.ts';

/** A revision of a backend with its state at that time. */
export interface BackendRevisionDetails extends PatchPair {
  readonly revision: BackendRevisionSummary;
  /** A merge patch that restores the backend: members it did not have are null. Empty for a deletion. */
  readonly state: JsonObject;
}

export type ReadBackendRevision = (
  caller: Caller,
  backend: BackendOfOrganization,
  number: RevisionNumber,
) => ResultAsync<BackendRevisionDetails, OrganizationAccessError | RevisionNotFound>;

/** One change of an origin server or load balancer, and its state after it. */
export const readBackendRevision =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ReadBackendRevision =>
  (caller, backend, number) =>
    unitOfWork.view((repositories) =>
      mayReadBackends(repositories, caller, backend.organizationId)
        .andThen(() => repositories.backendHistory.byNumber(backend, number))
        .map(detailsOf),
    );

const detailsOf = ({ before, state, ...revision }: BackendRevision): BackendRevisionDetails => ({
  revision,
  ...patchPair(before, state),
  state: Object.keys(state).length === 0 ? state : { ...state, requestHostname: state['requestHostname'] ?? null },
});
