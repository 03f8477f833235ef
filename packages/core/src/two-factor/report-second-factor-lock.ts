import type { ResultAsync } from 'neverthrow';
import { notify } from '../mail/notify.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import type { UserId } from '../shared/ids.ts';

export type ReportSecondFactorLock = (user: UserId, client: Client) => ResultAsync<void, never>;

/** Writes to the owner of an account that so many wrong codes were tried in a row that none is accepted for a while. */
export const reportSecondFactorLock =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ReportSecondFactorLock =>
  (user, client) =>
    unitOfWork.run((repositories) => notify(repositories, user, 'second-factor-locked', client));
