import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { MailRequest } from '../../kernel/mail/mail.ts';
import type { Randomness } from '../../kernel/shared/randomness.ts';
import type { TokenHashes } from '../../kernel/shared/token-hash.ts';
import { mailToken } from './mail-token.ts';
import type { MailingRepositories } from './repositories.ts';

/** Limits the mail an account gets, however often it is requested. */
export interface MailCap {
  /** Mails per purpose, account and hour. */
  readonly mailsPerHour: number;
}

/** What is needed to turn a mail request into a mail with a token. */
export interface MailPreparation {
  readonly randomness: Randomness;
  readonly tokenHashes: TokenHashes;
  readonly cap: MailCap;
}

const hour = 60 * 60;

/** Turns a mail request into a mail, or into nothing if no account has the address. */
export const prepareMail = (
  repositories: MailingRepositories,
  { cap, ...values }: MailPreparation,
  { purpose, email }: MailRequest,
): ResultAsync<void, never> =>
  safeTry(async function* () {
    const facts = yield* repositories.accounts.factsByEmail(email);
    if (facts === undefined || !isWanted(purpose, facts)) return ok();
    const recent = yield* repositories.mailedTokens.lockIssuedCount(facts.userId, purpose, hour);
    if (recent >= cap.mailsPerHour) return ok();
    return mailToken(repositories, values, { userId: facts.userId, email: facts.email, purpose });
  });

/** A verified address is not verified again; a password can be reset unless the account is blocked. */
const isWanted = (
  purpose: MailRequest['purpose'],
  { emailVerified, blocked }: { readonly emailVerified: boolean; readonly blocked: boolean },
): boolean => !blocked && (purpose === 'reset-password' || !emailVerified);
