import type { OrganizationRepositories } from '../organizations/repositories.ts';
import type { Accounts, Credentials, MailedTokens } from './accounts/ports.ts';
import type { AddressChanges } from './address-changes/ports.ts';
import type { AccountBlocks, AccountErasures, AccountLimits, Directory, Retentions } from './administration/ports.ts';
import type { ApiTokens } from './api-tokens/ports.ts';
import type { Identities, SpentStates, UnverifiedAccounts } from './identities/ports.ts';
import type { PasskeyChallenges, Passkeys } from './passkeys/ports.ts';
import type { Challenges, RefreshTokens, Sessions, SignIns } from './sessions/ports.ts';
import type { TwoFactors } from './two-factor/ports.ts';

/** The repositories of accounts, and those of their organizations. */
export interface AccountRepositories extends OrganizationRepositories {
  readonly accounts: Accounts;
  readonly credentials: Credentials;
  readonly accountBlocks: AccountBlocks;
  readonly accountErasures: AccountErasures;
  readonly userLimits: AccountLimits;
  readonly directory: Directory;
  readonly retentions: Retentions;
  readonly mailedTokens: MailedTokens;
  readonly addressChanges: AddressChanges;
  readonly sessions: Sessions;
  readonly signIns: SignIns;
  readonly refreshTokens: RefreshTokens;
  readonly challenges: Challenges;
  readonly twoFactors: TwoFactors;
  readonly passkeys: Passkeys;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly identities: Identities;
  readonly spentStates: SpentStates;
  readonly unverifiedAccounts: UnverifiedAccounts;
  readonly apiTokens: ApiTokens;
}
