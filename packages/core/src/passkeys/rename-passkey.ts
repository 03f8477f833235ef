import type { ResultAsync } from 'neverthrow';
import type { SessionCaller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { PasskeyId } from '../shared/ids.ts';
import type { PasskeyNotFound } from './errors.ts';
import type { Passkey, PasskeySettings } from './passkey.ts';

/** Gives one of the caller's passkeys another name, if there is one. */
export const renamePasskey =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (caller: SessionCaller, id: PasskeyId, { name }: PasskeySettings): ResultAsync<Passkey, PasskeyNotFound> =>
    unitOfWork.run((repositories) =>
      repositories.passkeys
        .rename(caller.userId, id, name)
        .andThrough(() => record(repositories, caller, 'passkey.renamed', { objects: { passkey: id } })),
    );
