import type { Organizations } from '../../organizations/organizations/ports.ts';
import type { SignInRepositories } from '../sign-in/repositories.ts';
import type { Identities, SpentStates, UnverifiedAccounts } from './ports.ts';

export interface IdentityRepositories extends SignInRepositories {
  readonly identities: Identities;
  readonly organizations: Organizations;
  readonly spentStates: SpentStates;
  readonly unverifiedAccounts: UnverifiedAccounts;
}
