import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { Dependencies } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import { type JsonObject, mergePatch } from '../shared/merge-patch.ts';
import { parseDocument } from '../shared/parse.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import type { InvalidInput } from '../shared/violation.ts';
import { backendVersion } from './backend.ts';
import { mayWriteBackends } from './backend-access.ts';
import type { BackendId } from './backend-reference.ts';
import { isSameDocument } from './backend-write.ts';
import type { OriginServerNotFound } from './errors.ts';
import { type OriginServer, originServerDocument, originServerDraftIn } from './origin-server.ts';
import { originServerClashed, requireValidOriginServerChange } from './origin-server-write.ts';

export type UpdateOriginServerError = OrganizationAccessError | OriginServerNotFound | VersionMismatch | InvalidInput;

/** Applies a merge patch (RFC 7396) to an origin server. A patch that changes nothing leaves no trace. */
export const updateOriginServer =
  ({ unitOfWork, originNetworks }: Pick<Dependencies, 'unitOfWork' | 'originNetworks'>) =>
  (
    caller: Caller,
    organizationId: OrganizationId,
    id: BackendId,
    patch: JsonObject,
    expected: ExpectedVersions,
  ): ResultAsync<OriginServer, UpdateOriginServerError> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* mayWriteBackends(repositories, caller, organizationId);
        const current = yield* repositories.originServers.lock(organizationId, id);
        yield* requireVersion(expected, backendVersion(current));
        const before = originServerDocument(current);
        const draft = yield* parseDocument(originServerDraftIn(originNetworks), mergePatch(before, patch));
        if (isSameDocument(before, originServerDocument(draft))) return ok(current);
        const written = { id, organizationId, ...draft };
        yield* requireValidOriginServerChange(repositories, current, written);
        const stamp = yield* repositories.originServers.save(written, caller.userId).mapErr(originServerClashed);
        const objects = { originServer: id };
        yield* record(repositories, caller, 'originServer.changed', { organization: organizationId, objects });
        return ok({ ...written, ...stamp });
      }),
    );
