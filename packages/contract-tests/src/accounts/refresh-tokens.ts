import { contract } from '../fresh-storage.ts';
import { presentation } from './refresh-tokens/presentation.ts';
import { racing } from './refresh-tokens/races.ts';
import { reuse } from './refresh-tokens/reuse.ts';
import { rotation } from './refresh-tokens/rotation.ts';
import { sessionLookup } from './refresh-tokens/sessions.ts';

/** Every adapter of the port must pass this unchanged. */
export const refreshTokensContract = contract('RefreshTokens contract', (storage) => {
  describe('present', () => presentation(storage));
  describe('rotate', () => rotation(storage));
  describe('sessionOf', () => sessionLookup(storage));
  describe('concurrent uses of one token', () => racing(storage));
  describe('reuse of a token', () => reuse(storage));
});
