import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { MailedTokenInvalid } from '../accounts/errors.ts';
import type { AuditAction } from '../audit/audit-entry.ts';
import { recordFor } from '../audit/record.ts';
import type { MailedToken } from '../mail/mailed-token.ts';
import type { Dependencies } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import { type EndedAccess, undoneBeforeSeconds } from './address-change.ts';

/**
 * Brings the old address back, ends every session and everything that was added since the change, and voids every open
 * challenge and link but those of earlier changes.
 */
export const undoAddressChange =
  ({ unitOfWork, tokenHashes }: Pick<Dependencies, 'unitOfWork' | 'tokenHashes'>) =>
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
