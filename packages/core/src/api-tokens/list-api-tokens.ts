import type { ResultAsync } from 'neverthrow';
import type { SessionCaller } from '../access/caller.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { ApiToken } from './api-token.ts';

/** The caller's API tokens, newest first; without their secrets, which are not stored. */
export const listApiTokens =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (caller: SessionCaller, page: PageRequest): ResultAsync<Page<ApiToken>, never> =>
    unitOfWork.view(({ apiTokens }) => apiTokens.list(caller.userId, page));
