import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { MailedToken } from '../../kernel/mail/mailed-token.ts';
import type { Outbox } from '../../kernel/mail/ports.ts';
import type { Client } from '../../kernel/shared/client.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { UserId } from '../../kernel/shared/ids.ts';
import type { AccountNotFound } from '../../organizations/access/errors.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { recordFor } from '../../organizations/audit/record.ts';
import type { HashingBusy, MailedTokenInvalid, PasswordTooCommon } from '../accounts/errors.ts';
import type { Password } from '../accounts/password.ts';
import type { PasswordBlocklist } from '../accounts/password-policy.ts';
import { requireUncommon } from '../accounts/password-policy.ts';
import type { Accounts, Credentials, MailedTokens, PasswordHashes } from '../accounts/ports.ts';
import type { ApiTokenName } from '../api-tokens/api-token.ts';
import type { ApiTokens } from '../api-tokens/ports.ts';
import { notify } from '../mailing/notify.ts';
import type { Sessions } from '../sessions/ports.ts';
import type { TwoFactors } from '../two-factor/ports.ts';

interface Repositories {
  readonly accounts: Accounts;
  readonly apiTokens: ApiTokens;
  readonly auditLog: AuditLog;
  readonly credentials: Credentials;
  readonly mailedTokens: MailedTokens;
  readonly outbox: Outbox;
  readonly sessions: Sessions;
  readonly twoFactors: TwoFactors;
}

/** How long a factor that an unconfirmed session enabled can be removed by a reset. */
const unconfirmedFactorSeconds = 7 * 24 * 60 * 60;

/** What a reset leaves behind besides the new password. */
export interface PasswordReset {
  /** The API tokens that stay valid, by name, newest first. */
  readonly apiTokens: readonly ApiTokenName[];
  /** Whether two-factor authentication has been disabled. */
  readonly twoFactorDisabled: boolean;
}

/**
 * Sets a new password with a mailed token and ends every session, and every API token if that is wanted. The mail proves
 * the address, so the reset verifies it, too; an operator's block stays. A second factor
 * that an unconfirmed session enabled lately is removed: the session may have been a stolen one, and the owner could
 * never sign in again. The token stays valid if the password is rejected. It is checked before the password is hashed, so
 * guessing tokens costs no hashing.
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
    { revokeApiTokens }: { readonly revokeApiTokens: boolean } = { revokeApiTokens: false },
  ): ResultAsync<PasswordReset, MailedTokenInvalid | PasswordTooCommon | HashingBusy | AccountNotFound> =>
    safeTry(async function* () {
      const hash = tokenHashes.of(token);
      const holder = yield* unitOfWork.view(({ mailedTokens }) => mailedTokens.holder(hash, 'reset-password'));
      const { email } = yield* unitOfWork.view(({ accounts }) => accounts.profile(holder));
      const passwordHash = yield* passwords.hash(yield* requireUncommon(blocklist, password, email));
      return unitOfWork.run((repositories) =>
        safeTry(async function* () {
          const { accounts, apiTokens, credentials, mailedTokens, sessions } = repositories;
          // The account before its mailed tokens, like everybody who renews credentials.
          const { emailVerified } = yield* accounts.lock(holder);
          const { userId, email: mailedTo } = yield* mailedTokens.redeem(hash, 'reset-password');
          yield* credentials.setPassword(userId, passwordHash);
          yield* sessions.endAllOf(userId);
          yield* recordFor(repositories, userId, client, 'account.passwordReset');
          if (!emailVerified) {
            yield* accounts.markEmailVerified(userId, mailedTo);
            yield* recordFor(repositories, userId, client, 'account.emailVerified');
          }
          const twoFactorDisabled = yield* withoutForeignFactor(repositories, userId, client);
          if (revokeApiTokens) yield* withoutApiTokens(repositories, userId, client);
          yield* notify(repositories, userId, 'password-changed', client);
          return ok({ apiTokens: yield* apiTokens.activeNames(userId), twoFactorDisabled });
        }),
      );
    });

/** Removes a factor that whoever had a session may have added. */
const withoutForeignFactor = (repositories: Repositories, user: UserId, client: Client): ResultAsync<boolean, never> =>
  repositories.twoFactors
    .disable(user, { unconfirmedForSeconds: unconfirmedFactorSeconds })
    .andThrough((isRemoved) =>
      isRemoved
        ? recordFor(repositories, user, client, 'twoFactor.disabled').andThen(() =>
            notify(repositories, user, 'two-factor-disabled', client),
          )
        : okAsync(),
    );

const withoutApiTokens = (repositories: Repositories, user: UserId, client: Client): ResultAsync<void, never> =>
  safeTry(async function* () {
    for (const apiToken of yield* repositories.apiTokens.revokeAllOf(user)) {
      yield* recordFor(repositories, user, client, 'apiToken.revoked', { apiToken });
    }
    return ok();
  });
