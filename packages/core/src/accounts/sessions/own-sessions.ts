import type { ResultAsync } from 'neverthrow';
import type { SessionId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { SessionCaller } from '../../organizations/access/caller.ts';
import { record } from '../../organizations/audit/record.ts';
import type { SessionNotFound } from './errors.ts';
import type { SessionRepositories } from './repositories.ts';
import type { Session } from './session.ts';

/** The caller's live sessions, most recently used first. */
export const listSessions =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<SessionRepositories> }) =>
  (caller: SessionCaller, page: PageRequest): ResultAsync<Page<Session>, never> =>
    unitOfWork.view(({ sessions }) => sessions.list(caller.userId, page));

/** Ends one of the caller's sessions, which may be the current one. */
export const endSession =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<SessionRepositories> }) =>
  (caller: SessionCaller, id: SessionId): ResultAsync<void, SessionNotFound> =>
    unitOfWork.run((repositories) =>
      repositories.sessions
        .endLive({ userId: caller.userId, sessionId: id })
        .andThen(() => record(repositories, caller, 'session.ended', { objects: { session: id } })),
    );

/** Ends all of the caller's sessions but the current one. */
export const endOtherSessions =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<SessionRepositories> }) =>
  (caller: SessionCaller): ResultAsync<void, never> =>
    unitOfWork.run((repositories) =>
      repositories.sessions
        .endAllOf(caller.userId, caller.credential.id)
        .andThen(() =>
          record(repositories, caller, 'account.sessionsEnded', { objects: { except: caller.credential.id } }),
        ),
    );
