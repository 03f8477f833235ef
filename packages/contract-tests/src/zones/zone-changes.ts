import { contract } from '../fresh-storage.ts';
import { application } from './zone-changes/application.ts';
import { facts } from './zone-changes/facts.ts';
import { claims, outside } from './zone-changes/references.ts';
import { supersession } from './zone-changes/supersession.ts';
import { turns } from './zone-changes/turns.ts';

/** Every adapter of the port must pass this unchanged. */
export const zoneChangesContract = contract('ZoneChanges contract', (storage) => {
  describe('facts', () => facts(storage));
  describe('outside', () => outside(storage));
  describe('ids of rules', () => claims(storage));
  describe('apply', () => application(storage));
  describe('apply, if the facts have changed', () => supersession(storage));
  describe('concurrent apply and lock', () => turns(storage));
});
