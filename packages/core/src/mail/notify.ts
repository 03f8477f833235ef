import { ok, okAsync, type ResultAsync } from 'neverthrow';
import type { Repositories } from '../repositories.ts';
import type { UserId } from '../shared/ids.ts';
import type { Notice } from './mail.ts';

/** Queues a mail about the security of an account to its stored address. */
export const notify = ({ accounts, outbox }: Repositories, user: UserId, notice: Notice): ResultAsync<void, never> =>
  accounts
    .profile(user)
    .map(({ email }) => email)
    .orElse(() => ok(undefined))
    .andThen((to) => (to === undefined ? okAsync() : outbox.add({ kind: 'notice', to, notice })));
