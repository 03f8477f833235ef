import type { ResultAsync } from 'neverthrow';
import { okAsync } from 'neverthrow';
import { callerFrom } from '../access/caller.ts';
import type { AuthenticatedRead, PlausibleCredential } from '../access/credential.ts';
import type { Unauthenticated } from '../access/errors.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import type { UserId } from '../shared/ids.ts';
import type { Profile } from './account.ts';
import type { AccountNotFound } from './errors.ts';

export type ReadProfile = (user: UserId) => ResultAsync<Profile, AccountNotFound>;

/** The caller's own account (interface, "User endpoints"). */
export const readProfile =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ReadProfile =>
  (user) =>
    unitOfWork.view(({ accounts }) => accounts.profile(user));

export type ReadProfileBy = (
  credential: PlausibleCredential,
  client: Client,
) => ResultAsync<AuthenticatedRead<Profile, never>, Unauthenticated>;

/** Like `readProfile`, by credential. */
export const readProfileBy =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ReadProfileBy =>
  (credential, client) =>
    unitOfWork
      .view(({ ownAccount }) => ownAccount.profile(credential))
      .map(({ caller, found }) => ({ caller: callerFrom(caller, client), answer: () => okAsync(found) }));
