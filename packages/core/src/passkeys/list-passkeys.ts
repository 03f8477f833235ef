import type { ResultAsync } from 'neverthrow';
import type { SessionCaller } from '../access/caller.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { Passkey } from './passkey.ts';

/** The caller's passkeys, oldest first. */
export const listPasskeys =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  ({ userId }: SessionCaller, page: PageRequest): ResultAsync<Page<Passkey>, never> =>
    unitOfWork.view(({ passkeys }) => passkeys.list(userId, page));
