import type { Subject } from '@zonewright/core';
import { aZoneId } from './builders/index.ts';
import { contract } from './fresh-storage.ts';
import { callers } from './storage-session/callers.ts';
import { currentReads } from './storage-session/current-reads.ts';
import { limitedLists } from './storage-session/limited-lists.ts';
import { everything } from './storage-session/member.ts';
import { profiles } from './storage-session/profiles.ts';
import { repeatedLists } from './storage-session/repeated-lists.ts';
import { listsByProvider, zoneLists } from './storage-session/zone-lists.ts';
import { oneZone, zoneChanges } from './storage-session/zones.ts';

/** The contract of sessions of storage: the same as units of work, whatever the request is about. */
export const storageSessionContract = contract('StorageSession contract', (storage) => {
  const subjects: readonly (readonly [what: string, subject: Subject | undefined])[] = [
    ['nothing in particular', undefined],
    ['the profile', { kind: 'profile' }],
    ['a zone', { kind: 'zone', id: aZoneId() }],
    ['a change of a zone', { kind: 'zone change', id: aZoneId() }],
    ['a list of zones', { kind: 'zone list', query: everything }],
  ];
  for (const [what, subject] of subjects) {
    describe(`the caller of a request about ${what}`, () => callers(storage, subject));
  }
  describe('a profile', () => profiles(storage));
  describe('a zone', () => oneZone(storage));
  describe('a change of a zone', () => zoneChanges(storage));
  describe('a list of zones', () => zoneLists(storage));
  describe('a list of zones', () => listsByProvider(storage));
  describe('lists for API tokens with limits', () => limitedLists(storage));
  describe('a list of zones that was read before', () => repeatedLists(storage));
  describe('reads after a change', () => currentReads(storage));
});
