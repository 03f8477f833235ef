import type { ResultAsync } from 'neverthrow';
import type { SessionCaller } from '../access/caller.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { ApiToken } from './api-token.ts';

export type ListApiTokens = (caller: SessionCaller, page: PageRequest) => ResultAsync<Page<ApiToken>, never>;

/** The caller's API tokens, newest first; the tokens themselves are not stored and cannot be shown. */
export const listApiTokens =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ListApiTokens =>
  (caller, page) =>
    unitOfWork.view(({ apiTokens }) => apiTokens.list(caller.userId, page));
