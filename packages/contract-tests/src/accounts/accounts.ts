import { contract } from '../fresh-storage.ts';
import { addition } from './accounts/addition.ts';
import { factsByEmail, locking } from './accounts/facts.ts';
import { profile, profileChange } from './accounts/profiles.ts';
import { verification } from './accounts/verification.ts';

/** Every adapter of the port must pass this unchanged. */
export const accountsContract = contract('Accounts contract', (storage) => {
  describe('add', () => addition(storage));
  describe('factsByEmail', () => factsByEmail(storage));
  describe('facts and lock', () => locking(storage));
  describe('profile', () => profile(storage));
  describe('saveProfile', () => profileChange(storage));
  describe('markEmailVerified', () => verification(storage));
});
