import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import { z } from 'zod';
import type { Outbox } from '../../kernel/mail/ports.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { SessionCaller } from '../../organizations/access/caller.ts';
import type { Unauthenticated } from '../../organizations/access/errors.ts';
import { type AccountNotFound } from '../../organizations/access/errors.ts';
import { requireConfirmed, type Unconfirmed } from '../../organizations/access/permissions.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { record } from '../../organizations/audit/record.ts';
import {
  type HashingBusy,
  type PasswordTooCommon,
  type WrongCurrentPassword,
  wrongCurrentPassword,
} from '../accounts/errors.ts';
import { Password, PasswordAttempt } from '../accounts/password.ts';
import type { PasswordBlocklist } from '../accounts/password-policy.ts';
import { requireUncommon } from '../accounts/password-policy.ts';
import type { Accounts, Credentials, PasswordHashes } from '../accounts/ports.ts';
import { notify } from '../mailing/notify.ts';
import type { Sessions } from '../sessions/ports.ts';

interface Repositories {
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
  readonly credentials: Credentials;
  readonly outbox: Outbox;
  readonly sessions: Sessions;
}

/** Accounts without a password omit `currentPassword`. */
export const PasswordChange = z.object({ currentPassword: PasswordAttempt.optional(), newPassword: Password });
export type PasswordChange = z.infer<typeof PasswordChange>;

/**
 * Changes the caller's password and ends their other sessions. The first password of an account needs a confirmed
 * session: nothing else shows that the caller is the owner.
 */
export const changePassword =
  ({
    unitOfWork,
    passwords,
    blocklist,
  }: {
    readonly unitOfWork: UnitOfWork<Repositories>;
    readonly passwords: PasswordHashes;
    readonly blocklist: PasswordBlocklist;
  }) =>
  (
    caller: SessionCaller,
    { currentPassword, newPassword }: PasswordChange,
  ): ResultAsync<
    void,
    WrongCurrentPassword | PasswordTooCommon | HashingBusy | AccountNotFound | Unconfirmed | Unauthenticated
  > =>
    safeTry(async function* () {
      const user = caller.userId;
      const { email, passwordHash } = yield* unitOfWork.view(({ accounts }) => accounts.facts(user));
      if (passwordHash === undefined) yield* requireConfirmed(caller);
      const isRight =
        passwordHash === undefined ||
        (currentPassword !== undefined && (yield* passwords.verify(passwordHash, currentPassword)));
      if (!isRight) return err(wrongCurrentPassword());
      const to = yield* passwords.hash(yield* requireUncommon(blocklist, newPassword, email, 'newPassword'));
      return unitOfWork.run((repositories) =>
        safeTry(async function* () {
          const { accounts, credentials, sessions } = repositories;
          yield* credentials.lockBy(user, caller.credential.id);
          const locked = yield* accounts.facts(user);
          if (locked.passwordHash !== passwordHash) return err(wrongCurrentPassword());
          yield* credentials.setPassword(user, to);
          yield* sessions.endAllOf(user, caller.credential.id);
          yield* record(repositories, caller, 'account.passwordChanged');
          yield* notify(repositories, user, 'password-changed', caller.client);
          return ok();
        }),
      );
    });
