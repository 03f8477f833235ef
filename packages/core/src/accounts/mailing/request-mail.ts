import type { ResultAsync } from 'neverthrow';
import { type Email, emailKey } from '../../kernel/mail/email.ts';
import type { MailRequest } from '../../kernel/mail/mail.ts';
import type { Client } from '../../kernel/shared/client.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { recordFor } from '../../organizations/audit/record.ts';
import type { MailingRepositories } from './repositories.ts';

/**
 * Queues a request for a verification or password-reset mail. Whether the address has an account is only looked up by
 * the worker, so every address takes the same time and gets the same response.
 */
export const requestMail =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<MailingRepositories> }) =>
  (purpose: MailRequest['purpose'], email: Email, client: Client): ResultAsync<void, never> =>
    unitOfWork.run((repositories) =>
      repositories.outbox
        .add({ kind: 'request', purpose, email: emailKey(email) })
        .andThen(() => recordFor(repositories, undefined, client, requestActions[purpose])),
    );

const requestActions = {
  'verify-email': 'account.verificationRequested',
  'reset-password': 'account.passwordResetRequested',
} as const;
