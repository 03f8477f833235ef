import type { ResultAsync } from 'neverthrow';
import type { Email } from '../../kernel/mail/email.ts';
import { MailedToken, type MailedTokenPurpose, mailedTokenLifetimeSeconds } from '../../kernel/mail/mailed-token.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { UserId } from '../../kernel/shared/ids.ts';
import type { MailingRepositories } from './repositories.ts';

interface TokenMail {
  readonly userId: UserId;
  readonly email: Email;
  readonly purpose: MailedTokenPurpose;
  /** The mail that carries it; defaults to the purpose. */
  readonly kind?: MailedTokenPurpose | 'account-created';
}

/** Issues a token for an account and queues the mail that carries it. */
export const mailToken = (
  { mailedTokens, outbox }: Pick<MailingRepositories, 'mailedTokens' | 'outbox'>,
  { randomness, tokenHashes }: Pick<Dependencies, 'randomness' | 'tokenHashes'>,
  { userId, email, purpose, kind = purpose }: TokenMail,
): ResultAsync<void, never> => {
  const token = MailedToken.parse(randomness.token());
  return mailedTokens
    .issue({ hash: tokenHashes.of(token), userId, purpose, lifetimeSeconds: mailedTokenLifetimeSeconds[kind] })
    .andThen(() => outbox.add({ kind, to: email, token }));
};
