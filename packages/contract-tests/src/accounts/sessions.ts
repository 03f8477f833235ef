import { contract } from '../fresh-storage.ts';
import { recognition } from './sessions/callers.ts';
import { confirmation } from './sessions/confirmation.ts';
import { ending, endingAll, endingLive, endingOthers } from './sessions/ending.ts';
import { lists } from './sessions/lists.ts';
import { opening, openingAtTheLimit } from './sessions/opening.ts';
import { signingIn } from './sessions/sign-ins.ts';

/** Every adapter of the port must pass this unchanged. */
export const sessionsContract = contract('Sessions contract', (storage) => {
  describe('open', () => opening(storage));
  describe('open at the limit', () => openingAtTheLimit(storage));
  describe('caller', () => recognition(storage));
  describe('confirm', () => confirmation(storage));
  describe('list', () => lists(storage));
  describe('end', () => ending(storage));
  describe('endLive', () => endingLive(storage));
  describe('endAllOf', () => endingAll(storage));
  describe('endAllOf with an exception', () => endingOthers(storage));
  describe('logIn', () => signingIn(storage));
});
