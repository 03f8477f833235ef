import type { ResultAsync } from 'neverthrow';
import type { AccountFacts } from '../accounts/ports.ts';
import { recordFor } from '../audit/record.ts';
import type { Dependencies } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import type { ProviderId } from '../shared/ids.ts';
import { ChallengeToken, challengeLimits } from './challenge.ts';
import type { InvalidCredentials } from './errors.ts';

type ChallengePorts = Pick<Dependencies, 'unitOfWork' | 'randomness' | 'tokenHashes'>;

/** What was proven in the first step of a sign-in. */
export interface FirstStep extends Pick<AccountFacts, 'userId' | 'credentialsVersion'> {
  /** The identity provider that attested it; undefined: the password did. */
  readonly provider?: ProviderId | undefined;
}

/** Issues the challenge for the second step of a sign-in, unless the credentials have changed since the first. */
export const issueChallenge = (
  { unitOfWork, randomness, tokenHashes }: ChallengePorts,
  { userId, credentialsVersion, provider }: FirstStep,
  client: Client,
): ResultAsync<ChallengeToken, InvalidCredentials> => {
  const challengeToken = ChallengeToken.parse(randomness.token());
  const { lifetimeSeconds } = challengeLimits;
  return unitOfWork
    .run((repositories) =>
      repositories.challenges
        .issue({ hash: tokenHashes.of(challengeToken), userId, credentialsVersion, provider, lifetimeSeconds })
        .andThen(() => recordFor(repositories, userId, client, 'challenge.issued')),
    )
    .map(() => challengeToken);
};
