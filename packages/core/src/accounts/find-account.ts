import type { ResultAsync } from 'neverthrow';
import { type Email, emailKey } from '../mail/email.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { UserId } from '../shared/ids.ts';

export type FindAccount = (email: Email) => ResultAsync<UserId | undefined, never>;

/** Whose address it is, so that a record can name the account that an attempt was aimed at. It proves nothing, and is for no answer. */
export const findAccount =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): FindAccount =>
  (email) =>
    unitOfWork.view(({ accounts }) => accounts.factsByEmail(emailKey(email))).map((facts) => facts?.userId);
