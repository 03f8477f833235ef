import { type ResultAsync, safeTry } from 'neverthrow';
import type { MailedToken } from '../../kernel/mail/mailed-token.ts';
import type { Outbox } from '../../kernel/mail/ports.ts';
import type { Client } from '../../kernel/shared/client.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { AccountNotFound } from '../../organizations/access/errors.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { recordFor } from '../../organizations/audit/record.ts';
import type { HashingBusy, MailedTokenInvalid, PasswordTooCommon } from '../accounts/errors.ts';
import type { Password } from '../accounts/password.ts';
import type { PasswordBlocklist } from '../accounts/password-policy.ts';
import { requireUncommon } from '../accounts/password-policy.ts';
import type { Accounts, Credentials, MailedTokens, PasswordHashes } from '../accounts/ports.ts';
import { notify } from '../mailing/notify.ts';
import type { Sessions } from '../sessions/ports.ts';

interface Repositories {
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
  readonly credentials: Credentials;
  readonly mailedTokens: MailedTokens;
  readonly outbox: Outbox;
  readonly sessions: Sessions;
}

/**
 * Sets a new password with a mailed token and ends every session. The token proves the address, so it verifies it, too. The token stays valid if the password is rejected.
 * The token is checked before the password is hashed, so guessing tokens costs no hashing.
 */
export const resetPassword =
  ({
    unitOfWork,
    passwords,
    tokenHashes,
    blocklist,
  }: Pick<Dependencies<Repositories>, 'unitOfWork' | 'tokenHashes'> & {
    readonly passwords: PasswordHashes;
    readonly blocklist: PasswordBlocklist;
  }) =>
  (
    token: MailedToken,
    password: Password,
    client: Client,
  ): ResultAsync<void, MailedTokenInvalid | PasswordTooCommon | HashingBusy | AccountNotFound> =>
    safeTry(async function* () {
      const hash = tokenHashes.of(token);
      const holder = yield* unitOfWork.view(({ mailedTokens }) => mailedTokens.holder(hash, 'reset-password'));
      const { email } = yield* unitOfWork.view(({ accounts }) => accounts.profile(holder));
      const passwordHash = yield* passwords.hash(yield* requireUncommon(blocklist, password, email));
      return unitOfWork.run((repositories) =>
        safeTry(async function* () {
          const { credentials, mailedTokens, sessions } = repositories;
          const { userId } = yield* mailedTokens.redeem(hash, 'reset-password');
          yield* credentials.setPassword(userId, passwordHash);
          yield* sessions.endAllOf(userId);
          yield* recordFor(repositories, userId, client, 'account.passwordReset');
          return notify(repositories, userId, 'password-changed', client);
        }),
      );
    });
