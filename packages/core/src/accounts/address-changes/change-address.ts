import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import { emailKey } from '../../kernel/mail/email.ts';
import { MailedToken } from '../../kernel/mail/mailed-token.ts';
import type { Outbox } from '../../kernel/mail/ports.ts';
import type { Client } from '../../kernel/shared/client.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { TokenHash } from '../../kernel/shared/token-hash.ts';
import type { SessionCaller } from '../../organizations/access/caller.ts';
import type { AccountNotFound, Unauthenticated } from '../../organizations/access/errors.ts';
import { requireConfirmed, type Unconfirmed } from '../../organizations/access/permissions.ts';
import type { AuditAction } from '../../organizations/audit/audit-entry.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { record, recordFor } from '../../organizations/audit/record.ts';
import type { MailedTokenInvalid } from '../accounts/errors.ts';
import type { Accounts, Credentials } from '../accounts/ports.ts';
import type { UnverifiedAccounts } from '../identities/ports.ts';
import type { Sessions } from '../sessions/ports.ts';
import {
  type AddressChange,
  addressChangesPerHour,
  confirmAddressSeconds,
  type EndedAccess,
  undoAddressSeconds,
  undoneBeforeSeconds,
} from './address-change.ts';
import type { AddressChanges } from './ports.ts';

interface Repositories {
  readonly accounts: Accounts;
  readonly addressChanges: AddressChanges;
  readonly auditLog: AuditLog;
  readonly credentials: Credentials;
  readonly outbox: Outbox;
  readonly sessions: Sessions;
  readonly unverifiedAccounts: UnverifiedAccounts;
}

const hour = 60 * 60;

/**
 * Mails a link to the new address, which confirms the change, and one to the old address, which undoes it. Nothing tells
 * the caller whether the new address has an account: then the link does not work.
 */
export const requestAddressChange =
  ({
    unitOfWork,
    randomness,
    tokenHashes,
  }: Pick<Dependencies<Repositories>, 'unitOfWork' | 'randomness' | 'tokenHashes'>) =>
  (
    caller: SessionCaller,
    { email: to }: AddressChange,
  ): ResultAsync<void, Unconfirmed | Unauthenticated | AccountNotFound> => {
    const [confirming, undoing] = [MailedToken.parse(randomness.token()), MailedToken.parse(randomness.token())];
    return requireConfirmed(caller).asyncAndThen(() =>
      unitOfWork.run((repositories) =>
        safeTry(async function* () {
          const { addressChanges, credentials, outbox } = repositories;
          const { userId: user, credential } = caller;
          yield* credentials.lockBy(user, credential.id);
          if ((yield* addressChanges.lockRequestCount(user, hour)) >= addressChangesPerHour) return ok();
          const from = yield* addressChanges.request({
            user,
            session: credential.id,
            to,
            confirmation: tokenHashes.of(confirming),
            confirmSeconds: confirmAddressSeconds,
            undoing: tokenHashes.of(undoing),
            undoSeconds: undoAddressSeconds,
          });
          yield* outbox.add({ kind: 'confirm-email', to, token: confirming });
          yield* outbox.add({ kind: 'undo-email', to: from, token: undoing });
          return record(repositories, caller, 'account.emailChangeRequested');
        }),
      ),
    );
  };

/**
 * Gives the account its new address, and ends all its sessions but the one that asked for that. Another account that
 * never verified the address is replaced: anybody can have registered it, and the token was mailed to its owner.
 */
export const confirmAddressChange =
  ({ unitOfWork, tokenHashes }: Pick<Dependencies<Repositories>, 'unitOfWork' | 'tokenHashes'>) =>
  (token: MailedToken, client: Client): ResultAsync<void, MailedTokenInvalid> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { addressChanges, credentials, sessions } = repositories;
        const hash = tokenHashes.of(token);
        yield* vacate(repositories, hash);
        const { user, session } = yield* addressChanges.confirm(hash, undoAddressSeconds);
        yield* credentials.renew(user);
        yield* sessions.endAllOf(user, session);
        yield* recordFor(repositories, user, client, 'account.emailChanged');
        return ok();
      }),
    );

/** If the confirmation fails, its unit is rolled back, and this with it. */
const vacate = (
  {
    accounts,
    addressChanges,
    unverifiedAccounts,
  }: Pick<Repositories, 'accounts' | 'addressChanges' | 'unverifiedAccounts'>,
  confirmation: TokenHash,
): ResultAsync<void, never> =>
  addressChanges
    .requested(confirmation)
    .andThen((to) => (to === undefined ? okAsync(undefined) : accounts.factsByEmail(emailKey(to))))
    .andThen((other) =>
      other === undefined || other.emailVerified ? okAsync() : unverifiedAccounts.remove(other.userId),
    );

/**
 * Brings the old address back, ends every session and everything that was added since the change, and voids every open
 * challenge and link but those of earlier changes.
 */
export const undoAddressChange =
  ({ unitOfWork, tokenHashes }: Pick<Dependencies<Repositories>, 'unitOfWork' | 'tokenHashes'>) =>
  (token: MailedToken, client: Client): ResultAsync<void, MailedTokenInvalid> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { addressChanges, credentials, sessions } = repositories;
        const { user, ended } = yield* addressChanges.undo(tokenHashes.of(token), undoneBeforeSeconds);
        yield* credentials.renew(user);
        yield* sessions.endAllOf(user);
        yield* recordFor(repositories, user, client, 'account.emailChangeUndone');
        for (const each of ended) yield* recordFor(repositories, user, client, actions[each.kind], objectsOf(each));
        return ok();
      }),
    );

const actions = {
  passkey: 'passkey.removed',
  identity: 'identity.unlinked',
  apiToken: 'apiToken.revoked',
  authenticator: 'twoFactor.disabled',
  password: 'account.passwordRemoved',
} as const satisfies Record<EndedAccess['kind'], AuditAction>;

function objectsOf(ended: EndedAccess): Readonly<Record<string, string>> {
  switch (ended.kind) {
    case 'passkey':
    case 'apiToken':
      return { [ended.kind]: ended.id };
    case 'identity':
      return { identity: ended.id, provider: ended.provider };
    case 'authenticator':
    case 'password':
      return {};
  }
}
