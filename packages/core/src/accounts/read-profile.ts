import type { ResultAsync } from 'neverthrow';
import type { UserId } from '../shared/ids.ts';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import type { Profile } from './account.ts';
import type { AccountNotFound } from './errors.ts';

export type ReadProfile = (user: UserId) => ResultAsync<Profile, AccountNotFound>;

/** The caller's own account (interface, "User endpoints"). */
export const readProfile =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ReadProfile =>
  (user) =>
    unitOfWork.view(({ accounts }) => accounts.profile(user));
