import type { ResultAsync } from 'neverthrow';
import type { MailedToken } from '../../kernel/mail/mailed-token.ts';
import type { Client } from '../../kernel/shared/client.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { recordFor } from '../../organizations/audit/record.ts';
import type { MailedTokenInvalid } from '../accounts/errors.ts';
import type { Accounts, MailedTokens } from '../accounts/ports.ts';

interface Repositories {
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
  readonly mailedTokens: MailedTokens;
}

/** Redeems a verification token and verifies exactly the address it was sent to. Does not sign the user in. */
export const verifyEmail =
  ({ unitOfWork, tokenHashes }: Pick<Dependencies<Repositories>, 'unitOfWork' | 'tokenHashes'>) =>
  (token: MailedToken, client: Client): ResultAsync<void, MailedTokenInvalid> =>
    unitOfWork.run((repositories) =>
      repositories.mailedTokens
        .redeem(tokenHashes.of(token), 'verify-email')
        .andThen(({ userId, email }) =>
          repositories.accounts
            .markEmailVerified(userId, email)
            .andThen(() => recordFor(repositories, userId, client, 'account.emailVerified')),
        ),
    );
