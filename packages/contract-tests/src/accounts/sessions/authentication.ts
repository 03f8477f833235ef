import type { AccessClaims } from '@zonewright/core';
import { expect } from 'chai';
import { errorOf } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** The caller that a session authenticates. */
export const callerOf = (storage: Storage, { userId, sessionId }: AccessClaims) =>
  storage.unitOfWork.session({ kind: 'session', userId, sessionId }).caller();

/** Whether a session authenticates its user. */
export const lives = async (storage: Storage, claims: AccessClaims): Promise<boolean> =>
  (await callerOf(storage, claims)).isOk();

/** Expects that a session authenticates nobody. */
export const isRefused = async (storage: Storage, claims: AccessClaims) => {
  expect(await errorOf(callerOf(storage, claims))).to.deep.equal({ type: 'Unauthenticated' });
};
