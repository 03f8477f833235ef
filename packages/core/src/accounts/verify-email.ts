import type { ResultAsync } from 'neverthrow';
import type { TokenHashes } from '../shared/token-hash.ts';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import type { MailedTokenInvalid } from './errors.ts';
import type { MailedToken } from './mailed-token.ts';

export type VerifyEmail = (token: MailedToken) => ResultAsync<void, MailedTokenInvalid>;

/** Spends a verification token and verifies exactly the address it was sent to. It signs nobody in. */
export const verifyEmail =
  ({ unitOfWork, tokenHashes }: { unitOfWork: UnitOfWork; tokenHashes: TokenHashes }): VerifyEmail =>
  (token) =>
    unitOfWork.run(({ mailedTokens, accounts }) =>
      mailedTokens
        .redeem(tokenHashes.of(token), 'verify-email')
        .andThen(({ userId, email }) => accounts.markEmailVerified(userId, email)),
    );
