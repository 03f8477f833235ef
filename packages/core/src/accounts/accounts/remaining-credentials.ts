import { err, ok, type ResultAsync } from 'neverthrow';
import type { UserId } from '../../kernel/shared/ids.ts';
import { type AccountNotFound } from '../../organizations/access/errors.ts';
import { type LastCredential, lastCredential } from './errors.ts';
import type { AccountFacts, Accounts } from './ports.ts';

/**
 * Requires that an account can still be signed in to: by a password, a passkey or an identity provider. To be called
 * after removing one of these, in the unit that locked the account before, so that of concurrent removals of the last
 * two exactly one succeeds. Resolves to the account as it is now.
 */
export const requireCredentialLeft = (
  { accounts }: { readonly accounts: Accounts },
  user: UserId,
): ResultAsync<AccountFacts, LastCredential | AccountNotFound> =>
  accounts.facts(user).andThen((facts) => {
    const { passwordHash, passkeys, providers } = facts;
    return passwordHash !== undefined || passkeys > 0 || providers > 0 ? ok(facts) : err(lastCredential());
  });
