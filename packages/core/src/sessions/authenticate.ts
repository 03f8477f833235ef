import type { ResultAsync } from 'neverthrow';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import type { Unauthenticated } from './errors.ts';
import type { AccessTokens } from './ports.ts';
import type { Caller } from './session.ts';

export type Authenticate = (accessToken: string) => ResultAsync<Caller, Unauthenticated>;

/** Recognizes the caller by an access token whose session still lives; storage is asked every time. */
export const authenticate =
  ({ unitOfWork, accessTokens }: { unitOfWork: UnitOfWork; accessTokens: AccessTokens }): Authenticate =>
  (accessToken) =>
    accessTokens
      .verify(accessToken)
      .asyncAndThen((claims) => unitOfWork.view(({ sessions }) => sessions.caller(claims)));
