import type { ResultAsync } from 'neverthrow';
import { type Email, emailKey } from '../mail/email.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { UserId } from '../shared/ids.ts';

/**
 * Finds the account with an address, so that the audit log can name the target of an attempt. Never reveal the result
 * to the client.
 */
export const findAccount =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (email: Email): ResultAsync<UserId | undefined, never> =>
    unitOfWork.view(({ accounts }) => accounts.factsByEmail(emailKey(email))).map((facts) => facts?.userId);
