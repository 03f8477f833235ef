import { contract } from '../fresh-storage.ts';
import { activeCount } from './api-tokens/active-count.ts';
import { addition, names } from './api-tokens/addition.ts';
import { recognition } from './api-tokens/callers.ts';
import { lists } from './api-tokens/lists.ts';
import { networks } from './api-tokens/networks.ts';
import { revocation } from './api-tokens/revocation.ts';
import { scopes, zonesOfTokens } from './api-tokens/scopes.ts';

/** Every adapter of the port must pass this unchanged. */
export const apiTokensContract = contract('ApiTokens contract', (storage) => {
  describe('add', () => addition(storage));
  describe('add and uniqueness of names', () => names(storage));
  describe('lockActive', () => activeCount(storage));
  describe('list', () => lists(storage));
  describe('revoke', () => revocation(storage));
  describe('caller', () => recognition(storage));
  describe('caller with a scoped token', () => scopes(storage));
  describe('caller with a token for some networks', () => networks(storage));
  describe('organizationsOf', () => zonesOfTokens(storage));
});
