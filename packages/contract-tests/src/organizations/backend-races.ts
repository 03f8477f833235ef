import { contract } from '../fresh-storage.ts';
import { changes } from './backend-races/changes.ts';
import { deletions } from './backend-races/deletions.ts';
import { independence } from './backend-races/independence.ts';
import { uses } from './backend-races/uses.ts';
import { writesAtOnce } from './backend-races/writes-at-once.ts';

/** What storage guarantees when backends are used, changed and deleted concurrently. */
export const backendRacesContract = contract('Concurrent backend changes', (storage) => {
  describe('through the use cases', () => writesAtOnce(storage));
  describe('deletion that waits for a use', () => deletions(storage));
  describe('a change that waits for a use', () => changes(storage));
  describe('a use that waits for a change', () => uses(storage));
  describe('what does not wait', () => independence(storage));
});
