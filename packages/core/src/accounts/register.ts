import { ok, type ResultAsync, safeTry } from 'neverthrow';
import { OrganizationName } from '../organizations/organization.ts';
import { UserId } from '../shared/ids.ts';
import type { Randomness } from '../shared/randomness.ts';
import type { TokenHashes } from '../shared/token-hash.ts';
import type { Repositories, UnitOfWork } from '../shared/unit-of-work.ts';
import type { Registration } from './account.ts';
import type { Email } from './email.ts';
import type { EmailTaken, HashingBusy } from './errors.ts';
import { MailedToken, mailedTokenLifetimeSeconds } from './mailed-token.ts';
import type { PasswordHashes } from './ports.ts';

export type Register = (registration: Registration) => ResultAsync<{ readonly id: UserId }, EmailTaken | HashingBusy>;

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly passwords: PasswordHashes;
  readonly randomness: Randomness;
  readonly tokenHashes: TokenHashes;
}

/**
 * Creates an unverified account with a personal organization and queues the verification mail, all or nothing
 * (interface, "States and transitions"). The password is hashed first, so a taken address costs the same time.
 */
export const register =
  (dependencies: Dependencies): Register =>
  ({ email, password, firstName, lastName }) =>
    dependencies.passwords.hash(password).andThen((passwordHash) =>
      dependencies.unitOfWork.run((repositories) =>
        safeTry(async function* () {
          const id = UserId.parse(dependencies.randomness.uuid());
          yield* repositories.accounts.add({ id, email, firstName, lastName, passwordHash });
          const name = OrganizationName.parse(`${firstName} ${lastName}`);
          yield* repositories.organizations.found({ name, owner: id });
          yield* mailVerification(dependencies, repositories, { id, email });
          return ok({ id });
        }),
      ),
    );

/** Issues a fresh verification token and queues the mail that carries it. */
export const mailVerification = (
  { randomness, tokenHashes }: Pick<Dependencies, 'randomness' | 'tokenHashes'>,
  { mailedTokens, outbox }: Repositories,
  { id, email }: { readonly id: UserId; readonly email: Email },
): ResultAsync<void, never> => {
  const token = MailedToken.parse(randomness.token());
  const purpose = 'verify-email';
  return mailedTokens
    .issue({ hash: tokenHashes.of(token), userId: id, purpose, lifetimeSeconds: mailedTokenLifetimeSeconds[purpose] })
    .andThen(() => outbox.add({ kind: purpose, to: email, token }));
};
