import type { ResultAsync } from 'neverthrow';
import type { Dependencies, Repositories } from '../../repositories.ts';
import type { UserId } from '../shared/ids.ts';
import type { Email } from './email.ts';
import { MailedToken, type MailedTokenPurpose, mailedTokenLifetimeSeconds } from './mailed-token.ts';

interface TokenMail {
  readonly userId: UserId;
  readonly email: Email;
  readonly purpose: MailedTokenPurpose;
  /** The mail that carries it; defaults to the purpose. */
  readonly kind?: MailedTokenPurpose | 'account-created';
}

/** Issues a token for an account and queues the mail that carries it. */
export const mailToken = (
  { mailedTokens, outbox }: Repositories,
  { randomness, tokenHashes }: Pick<Dependencies, 'randomness' | 'tokenHashes'>,
  { userId, email, purpose, kind = purpose }: TokenMail,
): ResultAsync<void, never> => {
  const token = MailedToken.parse(randomness.token());
  return mailedTokens
    .issue({ hash: tokenHashes.of(token), userId, purpose, lifetimeSeconds: mailedTokenLifetimeSeconds[kind] })
    .andThen(() => outbox.add({ kind, to: email, token }));
};
