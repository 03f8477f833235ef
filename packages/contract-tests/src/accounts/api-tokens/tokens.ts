import type { TokenHash, UserId } from '@zonewright/core';
import { userOf } from '../../arrangements/index.ts';
import { anApiToken, type NewApiToken, wholeList } from '../../builders/index.ts';
import { okOf, readView } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** Adds a token in its own unit. */
export const add = ({ unitOfWork }: Storage, token: NewApiToken) =>
  unitOfWork.run(({ apiTokens }) => apiTokens.add(token));

/** Adds a token, by default of a new user, and resolves to it. */
export const added = async (storage: Storage, given: Partial<NewApiToken> = {}): Promise<NewApiToken> => {
  const token = anApiToken({ ...given, userId: await userOf(storage, given) });
  await okOf(add(storage, token));
  return token;
};

/** A page of the tokens of a user. */
export const list = (storage: Storage, user: UserId, page = wholeList) =>
  readView(storage, ({ apiTokens }) => apiTokens.list(user, page));

/** Revokes a token in its own unit. */
export const revoke = ({ unitOfWork }: Storage, { userId, id }: Pick<NewApiToken, 'userId' | 'id'>) =>
  unitOfWork.run(({ apiTokens }) => apiTokens.revoke(userId, id));

/** The caller that a token authenticates from an address. */
export const callerOf = ({ unitOfWork }: Storage, hash: TokenHash, address?: string) =>
  unitOfWork.session({ kind: 'apiToken', hash, address }).caller();

/** The storage's clock, as far as a token reveals it. */
export async function storedNow(storage: Storage): Promise<Date> {
  const { userId } = await added(storage);
  const [token] = (await list(storage, userId)).items;
  return token!.createdAt;
}

/** The moment the given number of seconds later, or earlier if negative. */
export const secondsAfter = (moment: Date, seconds: number) => new Date(moment.getTime() + seconds * 1000);
