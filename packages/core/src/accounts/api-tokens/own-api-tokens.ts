import type { ResultAsync } from 'neverthrow';
import type { ApiTokenId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { SessionCaller } from '../../organizations/access/caller.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { record } from '../../organizations/audit/record.ts';
import type { ApiToken } from './api-token.ts';
import type { ApiTokenNotFound } from './errors.ts';
import type { ApiTokens } from './ports.ts';

interface Repositories {
  readonly apiTokens: ApiTokens;
  readonly auditLog: AuditLog;
}

/** The caller's API tokens, newest first; without their secrets, which are not stored. */
export const listApiTokens =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (caller: SessionCaller, page: PageRequest): ResultAsync<Page<ApiToken>, never> =>
    unitOfWork.view(({ apiTokens }) => apiTokens.list(caller.userId, page));

/** Revokes one of the caller's API tokens with immediate effect. */
export const revokeApiToken =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (caller: SessionCaller, id: ApiTokenId): ResultAsync<void, ApiTokenNotFound> =>
    unitOfWork.run((repositories) =>
      repositories.apiTokens
        .revoke(caller.userId, id)
        .andThen(() => record(repositories, caller, 'apiToken.revoked', { objects: { apiToken: id } })),
    );
