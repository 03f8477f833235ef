import type { ResultAsync } from 'neverthrow';
import type { Client } from '../../kernel/shared/client.ts';
import type { UserId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { notify } from '../mailing/notify.ts';
import type { TwoFactorRepositories } from './repositories.ts';

export type ReportSecondFactorLock = (user: UserId, client: Client) => ResultAsync<void, never>;

/** Notifies the owner of an account that codes are locked for a while after too many wrong ones in a row. */
export const reportSecondFactorLock =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<TwoFactorRepositories> }): ReportSecondFactorLock =>
  (user, client) =>
    unitOfWork.run((repositories) => notify(repositories, user, 'second-factor-locked', client));
