import { contract } from '../fresh-storage.ts';
import { addition } from './change-sets/addition.ts';
import { application } from './change-sets/application.ts';
import { listing } from './change-sets/lists.ts';
import { merges } from './change-sets/merges.ts';
import { draftRaces } from './change-sets/races.ts';
import { room } from './change-sets/room.ts';
import { writes } from './change-sets/writes.ts';

/** Every adapter of the port must pass this unchanged. */
export const changeSetsContract = contract('ChangeSets contract', (storage) => {
  describe('add', () => addition(storage));
  describe('save and discard', () => writes(storage));
  describe('list', () => listing(storage));
  describe('merges', () => merges(storage));
  describe('the room for open sets', () => room(storage));
  describe('concurrent writes', () => draftRaces(storage));
  describe('the application to a zone', () => application(storage));
});
