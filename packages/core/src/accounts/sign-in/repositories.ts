import type { PasskeyRepositories } from '../passkeys/repositories.ts';
import type { Challenges } from '../sessions/ports.ts';
import type { SessionRepositories } from '../sessions/repositories.ts';
import type { TwoFactors } from '../two-factor/ports.ts';

export interface SignInRepositories extends PasskeyRepositories, SessionRepositories {
  readonly challenges: Challenges;
  readonly twoFactors: TwoFactors;
}
