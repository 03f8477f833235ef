import type { KernelDependencies } from '../kernel/dependencies.ts';
import type { UnitOfWork } from '../kernel/shared/unit-of-work.ts';
import type { PasswordBlocklist } from './accounts/password-policy.ts';
import type { PasswordHashes } from './accounts/ports.ts';
import type { SealedFlows, SignInProviders } from './identities/ports.ts';
import type { PasskeyCeremonies } from './passkeys/ports.ts';
import type { AccountRepositories } from './repositories.ts';
import type { AccessTokens } from './sessions/ports.ts';
import type { OneTimeCodes, QrCodes, RecoveryCodeHashes } from './two-factor/ports.ts';

/** The ports of use cases of accounts; each picks those it needs. */
export interface AccountDependencies extends KernelDependencies {
  readonly unitOfWork: UnitOfWork<AccountRepositories>;
  readonly passwords: PasswordHashes;
  readonly blocklist: PasswordBlocklist;
  readonly accessTokens: AccessTokens;
  readonly oneTimeCodes: OneTimeCodes;
  readonly qrCodes: QrCodes;
  readonly recoveryCodeHashes: RecoveryCodeHashes;
  readonly passkeyCeremonies: PasskeyCeremonies;
  readonly signInProviders: SignInProviders;
  readonly sealedFlows: SealedFlows;
}
