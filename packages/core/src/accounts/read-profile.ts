import type { ResultAsync } from 'neverthrow';
import type { UnitOfWork } from '../repositories.ts';
import type { UserId } from '../shared/ids.ts';
import type { Profile } from './account.ts';
import type { AccountNotFound } from './errors.ts';

export type ReadProfile = (user: UserId) => ResultAsync<Profile, AccountNotFound>;

/** The caller's own account (interface, "User endpoints"). */
export const readProfile =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ReadProfile =>
  (user) =>
    unitOfWork.view(({ accounts }) => accounts.profile(user));
