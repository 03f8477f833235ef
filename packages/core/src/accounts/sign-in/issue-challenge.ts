import type { ResultAsync } from 'neverthrow';
import type { Client } from '../../kernel/shared/client.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { recordFor } from '../../organizations/audit/record.ts';
import { ChallengeToken, challengeLimits } from '../sessions/challenge.ts';
import type { InvalidCredentials } from '../sessions/errors.ts';
import type { ChallengedUser } from '../sessions/ports.ts';
import type { SignInRepositories } from './repositories.ts';

type ChallengePorts = Pick<Dependencies<SignInRepositories>, 'unitOfWork' | 'randomness' | 'tokenHashes'>;

/** Issues the challenge for the second step of a sign-in, unless the credentials have changed since the first. */
export const issueChallenge = (
  { unitOfWork, randomness, tokenHashes }: ChallengePorts,
  { userId, credentialsVersion, provider }: ChallengedUser,
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
