import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import { z } from 'zod';
import { Email, emailKey } from '../../kernel/mail/email.ts';
import type { Outbox } from '../../kernel/mail/ports.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { UserId } from '../../kernel/shared/ids.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { OrganizationName } from '../../organizations/organizations/organization.ts';
import type { Organizations } from '../../organizations/organizations/ports.ts';
import { PersonName } from '../accounts/account.ts';
import type { EmailTaken, HashingBusy, MailedTokenInvalid, PasswordTooCommon } from '../accounts/errors.ts';
import { Password, type PasswordHash } from '../accounts/password.ts';
import type { PasswordBlocklist } from '../accounts/password-policy.ts';
import { requireUncommon } from '../accounts/password-policy.ts';
import type { Accounts, MailedTokens, PasswordHashes } from '../accounts/ports.ts';
import { mailToken } from '../mailing/mail-token.ts';
import { type Operator, recordOperator } from './record-operator.ts';

interface Repositories {
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
  readonly mailedTokens: MailedTokens;
  readonly organizations: Organizations;
  readonly outbox: Outbox;
}

/** The account that the operator creates. */
export const NewUser = z.object({
  email: Email,
  firstName: PersonName,
  lastName: PersonName,
  /** Absent: the person chooses one through a mailed link. */
  password: Password.optional(),
});
export type NewUser = z.infer<typeof NewUser>;

/** `MailedTokenInvalid` cannot happen: the address belongs to the account just created. */
export type CreateUserError = EmailTaken | PasswordTooCommon | HashingBusy | MailedTokenInvalid;

type CreationPorts = Pick<Dependencies<Repositories>, 'unitOfWork' | 'randomness' | 'tokenHashes'> & {
  readonly passwords: PasswordHashes;
  readonly blocklist: PasswordBlocklist;
};

/**
 * Creates an account with a personal organization. The operator vouches for the address, so it counts as verified.
 * Without a password, the person is mailed a link to choose one.
 */
export const createUser =
  (dependencies: CreationPorts) =>
  (
    operator: Operator,
    { email, firstName, lastName, password }: NewUser,
  ): ResultAsync<{ readonly id: UserId }, CreateUserError> =>
    hashOf(dependencies, password, email).andThen((passwordHash) =>
      dependencies.unitOfWork.run((repositories) =>
        safeTry(async function* () {
          const { accounts, organizations } = repositories;
          const id = UserId.parse(dependencies.randomness.uuid());
          yield* accounts.add({ id, email, firstName, lastName, passwordHash });
          yield* accounts.markEmailVerified(id, emailKey(email));
          yield* organizations.create({ name: OrganizationName.parse(`${firstName} ${lastName}`), owner: id });
          yield* recordOperator(repositories, operator, 'account.created', id);
          if (passwordHash !== undefined) return ok({ id });
          const mail = { userId: id, email, purpose: 'reset-password', kind: 'account-created' } as const;
          return mailToken(repositories, dependencies, mail).map(() => ({ id }));
        }),
      ),
    );

const hashOf = (
  { blocklist, passwords }: CreationPorts,
  password: Password | undefined,
  email: Email,
): ResultAsync<PasswordHash | undefined, PasswordTooCommon | HashingBusy> =>
  password === undefined
    ? okAsync(undefined)
    : requireUncommon(blocklist, password, email).asyncAndThen((uncommon) => passwords.hash(uncommon));
