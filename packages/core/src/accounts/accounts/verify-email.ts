import type { ResultAsync } from 'neverthrow';
import type { MailedToken } from '../../kernel/mail/mailed-token.ts';
import type { Client } from '../../kernel/shared/client.ts';
import { recordFor } from '../../organizations/audit/record.ts';
import type { AccountDependencies } from '../dependencies.ts';
import type { MailedTokenInvalid } from './errors.ts';

/** Redeems a verification token and verifies exactly the address it was sent to. Does not sign the user in. */
export const verifyEmail =
  ({ unitOfWork, tokenHashes }: Pick<AccountDependencies, 'unitOfWork' | 'tokenHashes'>) =>
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
