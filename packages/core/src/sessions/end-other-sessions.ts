import type { ResultAsync } from 'neverthrow';
import type { SessionCaller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import type { UnitOfWork } from '../repositories.ts';

/** Ends all of the caller's sessions but the current one. */
export const endOtherSessions =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (caller: SessionCaller): ResultAsync<void, never> =>
    unitOfWork.run((repositories) =>
      repositories.sessions
        .endAllOf(caller.userId, caller.credential.id)
        .andThen(() =>
          record(repositories, caller, 'account.sessionsEnded', { objects: { except: caller.credential.id } }),
        ),
    );
