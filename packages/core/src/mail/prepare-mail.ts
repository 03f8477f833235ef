import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Repositories } from '../repositories.ts';
import type { Randomness } from '../shared/randomness.ts';
import type { TokenHashes } from '../shared/token-hash.ts';
import type { MailRequest } from './mail.ts';
import { mailToken } from './mail-token.ts';

/** How often an account is written to, however often that is asked for. */
export interface MailCap {
  /** Mails of one purpose to one account in an hour. */
  readonly mailsPerHour: number;
}

/** What it takes to turn a request for a mail into a mail with a token. */
export interface MailPreparation {
  readonly randomness: Randomness;
  readonly tokenHashes: TokenHashes;
  readonly cap: MailCap;
}

const hour = 60 * 60;

/** Turns a request for a mail into the mail, if an account has the address; otherwise into nothing. */
export const prepareMail = (
  repositories: Repositories,
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

/** An address is verified once; a password is reset by the reader of the mail, unless an administrator said no. */
const isWanted = (
  purpose: MailRequest['purpose'],
  { emailVerified, blocked }: { readonly emailVerified: boolean; readonly blocked: boolean },
): boolean => !blocked && (purpose === 'reset-password' || !emailVerified);
