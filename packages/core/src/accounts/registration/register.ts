import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Outbox } from '../../kernel/mail/ports.ts';
import type { Client } from '../../kernel/shared/client.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { UserId } from '../../kernel/shared/ids.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { recordFor } from '../../organizations/audit/record.ts';
import { OrganizationName } from '../../organizations/organizations/organization.ts';
import type { Organizations } from '../../organizations/organizations/ports.ts';
import type { Registration } from '../accounts/account.ts';
import type { EmailTaken, HashingBusy, PasswordTooCommon } from '../accounts/errors.ts';
import type { PasswordBlocklist } from '../accounts/password-policy.ts';
import { requireUncommon } from '../accounts/password-policy.ts';
import type { Accounts, MailedTokens, PasswordHashes } from '../accounts/ports.ts';
import { mailToken } from '../mailing/mail-token.ts';

interface Repositories {
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
  readonly mailedTokens: MailedTokens;
  readonly organizations: Organizations;
  readonly outbox: Outbox;
}

export type Register = (
  registration: Registration,
  client: Client,
) => ResultAsync<{ readonly id: UserId }, EmailTaken | PasswordTooCommon | HashingBusy>;

/**
 * Creates an unverified account with a personal organization and queues the verification mail, atomically (interface,
 * "States and transitions"). The password is hashed before the address is looked up, so response time does not reveal a
 * taken address.
 */
export const register =
  (
    dependencies: Pick<Dependencies<Repositories>, 'unitOfWork' | 'randomness' | 'tokenHashes'> & {
      readonly passwords: PasswordHashes;
      readonly blocklist: PasswordBlocklist;
    },
  ): Register =>
  ({ email, password, firstName, lastName }, client) =>
    requireUncommon(dependencies.blocklist, password, email)
      .asyncAndThen((uncommon) => dependencies.passwords.hash(uncommon))
      .andThen((passwordHash) =>
        dependencies.unitOfWork.run((repositories) =>
          safeTry(async function* () {
            const id = UserId.parse(dependencies.randomness.uuid());
            yield* repositories.accounts.add({ id, email, firstName, lastName, passwordHash });
            const name = OrganizationName.parse(`${firstName} ${lastName}`);
            yield* repositories.organizations.create({ name, owner: id });
            yield* mailToken(repositories, dependencies, { userId: id, email, purpose: 'verify-email' });
            yield* recordFor(repositories, id, client, 'account.registered');
            return ok({ id });
          }),
        ),
      );
