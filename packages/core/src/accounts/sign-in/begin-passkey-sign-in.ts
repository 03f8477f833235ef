import { errAsync, type ResultAsync } from 'neverthrow';
import type { JsonObject } from '../../kernel/shared/json.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { SessionCaller } from '../../organizations/access/caller.ts';
import { type PasskeyRequestPorts, requestOptions } from '../passkeys/request-options.ts';
import { type ChallengeToken, challengeLimits } from '../sessions/challenge.ts';
import { type ChallengeInvalid, challengeInvalid } from '../sessions/errors.ts';
import type { SignInRepositories } from './repositories.ts';

/** Options for signing in by a passkey, the same for everyone. */
export const beginPasskeySignIn =
  (dependencies: PasskeyRequestPorts & { readonly unitOfWork: UnitOfWork<SignInRepositories> }) =>
  (): ResultAsync<JsonObject, never> =>
    requestOptions(dependencies, { kind: 'sign-in', of: 'anyone' });

/** Options for answering the challenge of one sign-in by a passkey. No attempt is counted. */
export const beginPasskeyChallenge =
  (dependencies: PasskeyRequestPorts & { readonly unitOfWork: UnitOfWork<SignInRepositories> }) =>
  (challengeToken: ChallengeToken): ResultAsync<JsonObject, ChallengeInvalid> => {
    const { unitOfWork, tokenHashes } = dependencies;
    const of = tokenHashes.of(challengeToken);
    return unitOfWork
      .view(({ challenges }) => challenges.holder(of, challengeLimits.attempts))
      .andThen((user) =>
        user === undefined
          ? errAsync(challengeInvalid())
          : requestOptions(dependencies, { kind: 'second-factor', of }, user),
      );
  };

/** Options for confirming the caller's session by a passkey. */
export const beginPasskeyConfirmation =
  (dependencies: PasskeyRequestPorts & { readonly unitOfWork: UnitOfWork<SignInRepositories> }) =>
  ({ userId, credential }: SessionCaller): ResultAsync<JsonObject, never> =>
    requestOptions(dependencies, { kind: 'confirmation', of: credential.id }, userId);
