import { okAsync, type ResultAsync } from 'neverthrow';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { UserId } from '../../kernel/shared/ids.ts';
import type { JsonObject } from '../../kernel/shared/json.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { PasskeyPurpose } from './challenge.ts';
import { maxPasskeys, type Passkey } from './passkey.ts';
import type { PasskeyCeremonies } from './ports.ts';
import type { PasskeyRepositories } from './repositories.ts';
import { issueChallenge } from './spend-challenge.ts';

/** What is needed to ask for a passkey. */
export type PasskeyRequestPorts = Pick<Dependencies, 'tokenHashes' | 'randomness'> & {
  readonly passkeyCeremonies: PasskeyCeremonies;
};

/** All passkeys of a user. */
export const passkeysOf = (
  { unitOfWork }: { readonly unitOfWork: UnitOfWork<PasskeyRepositories> },
  user: UserId,
): ResultAsync<readonly Passkey[], never> =>
  unitOfWork
    .view(({ passkeys }) => passkeys.list(user, { page: 1, itemsPerPage: maxPasskeys }))
    .map(({ items }) => items);

/**
 * Options for an answer by a passkey: one of the user's, or without a user any of the site, so that nobody learns who
 * has one.
 */
export const requestOptions = (
  dependencies: PasskeyRequestPorts & { readonly unitOfWork: UnitOfWork<PasskeyRepositories> },
  purpose: PasskeyPurpose,
  user?: UserId,
): ResultAsync<JsonObject, never> =>
  (user === undefined ? unnamed() : passkeysOf(dependencies, user)).andThen((passkeys) =>
    issueChallenge(dependencies, purpose).andThen((challenge) =>
      dependencies.passkeyCeremonies.requestOptions({ challenge, passkeys }),
    ),
  );

const unnamed = (): ResultAsync<readonly Passkey[] | undefined, never> => okAsync(undefined);
