import type { ResultAsync } from 'neverthrow';
import type { SessionCaller } from '../access/caller.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { Session } from './session.ts';

/** The caller's live sessions, most recently used first. */
export const listSessions =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (caller: SessionCaller, page: PageRequest): ResultAsync<Page<Session>, never> =>
    unitOfWork.view(({ sessions }) => sessions.list(caller.userId, page));
