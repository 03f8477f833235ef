import type { ResultAsync } from 'neverthrow';
import type { SessionCaller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { SessionId } from '../shared/ids.ts';
import type { SessionNotFound } from './errors.ts';

/** Ends one of the caller's sessions, which may be the current one. */
export const endSession =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (caller: SessionCaller, id: SessionId): ResultAsync<void, SessionNotFound> =>
    unitOfWork.run((repositories) =>
      repositories.sessions
        .endLive({ userId: caller.userId, sessionId: id })
        .andThen(() => record(repositories, caller, 'session.ended', { objects: { session: id } })),
    );
