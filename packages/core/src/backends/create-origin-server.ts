import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { Dependencies } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { JsonObject } from '../shared/merge-patch.ts';
import { parseDocument } from '../shared/parse.ts';
import type { InvalidInput } from '../shared/violation.ts';
import { BackendId } from './backend-reference.ts';
import { lockForNewBackend } from './backend-write.ts';
import { type OriginServer, originServerDraftIn } from './origin-server.ts';
import { originServerClashed, requireFreeOriginServer } from './origin-server-write.ts';

/** Adds an origin server to an organization. */
export const createOriginServer =
  ({ unitOfWork, randomness, originNetworks }: Pick<Dependencies, 'unitOfWork' | 'randomness' | 'originNetworks'>) =>
  (
    caller: Caller,
    organizationId: OrganizationId,
    members: JsonObject,
  ): ResultAsync<OriginServer, OrganizationAccessError | InvalidInput> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* lockForNewBackend(repositories, caller, organizationId);
        const draft = yield* parseDocument(originServerDraftIn(originNetworks), members);
        const written = { id: BackendId.parse(randomness.uuid()), organizationId, ...draft };
        yield* requireFreeOriginServer(repositories, written);
        const stamp = yield* repositories.originServers.add(written, caller.userId).mapErr(originServerClashed);
        const objects = { originServer: written.id };
        yield* record(repositories, caller, 'originServer.created', { organization: organizationId, objects });
        return ok({ ...written, ...stamp });
      }),
    );
