import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Profile } from './account.ts';
import type { AccountNotFound } from './errors.ts';

/** The caller's own account (interface, "User endpoints"). */
export const readProfile =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  ({ userId }: Pick<Caller, 'userId'>): ResultAsync<Profile, AccountNotFound> =>
    unitOfWork.view(({ accounts }) => accounts.profile(userId));
