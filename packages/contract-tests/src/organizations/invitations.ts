import { contract } from '../fresh-storage.ts';
import { addition } from './invitations/addition.ts';
import { lostRights } from './invitations/lost-rights.ts';
import { pendingCount } from './invitations/pending-count.ts';
import { lists, lookup } from './invitations/reading.ts';
import { renewal } from './invitations/renewal.ts';
import { revocation, revocationOfAll } from './invitations/revocation.ts';

/** Every adapter of the port must pass this unchanged. */
export const invitationsContract = contract('Invitations contract', (storage) => {
  describe('add', () => addition(storage));
  describe('list', () => lists(storage));
  describe('byId', () => lookup(storage));
  describe('pendingCount', () => pendingCount(storage));
  describe('renew', () => renewal(storage));
  describe('revoke', () => revocation(storage));
  describe('revokeAllOf', () => revocationOfAll(storage));
  describe('an inviter who may no longer invite', () => lostRights(storage));
});
