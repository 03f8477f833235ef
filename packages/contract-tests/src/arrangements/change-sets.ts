import {
  type ChangeSet,
  ChangeSetDescription,
  ChangeSetId,
  ChangeSetTitle,
  defaultUsageLimits,
  jsonDocument,
  type MergeRecord,
  maxOpenBytes,
  type NewChangeSet,
  type ZonePlan,
} from '@zonewright/core';
import { aChange } from '../builders/index.ts';
import { okOf, readView } from '../results.ts';
import type { Storage } from '../storage.ts';
import { applying } from './changes.ts';
import { type OwnedZone, storedZone } from './zones.ts';

let made = 0;

/** The id of a change set. */
export const aSetId = (): ChangeSetId => {
  made += 1;
  return ChangeSetId.parse(`0197c4e3-0000-7000-8000-${String(made).padStart(12, '0')}`);
};

/** What a merge with the first revision of a zone found out. */
export const aMerge = (given: Partial<MergeRecord> = {}): MergeRecord => ({
  zoneRevision: 1,
  isConflicted: false,
  characters: 100,
  ...given,
});

/** The limits of a zone with room for everything. */
const roomy = { sets: defaultUsageLimits.changeSets, bytes: maxOpenBytes };

/** A change set of the zone, based on its first revision. */
export const aSet = (
  { zone, userId }: Pick<OwnedZone, 'zone' | 'userId'>,
  given: Partial<NewChangeSet> = {},
): NewChangeSet => ({
  id: aSetId(),
  zoneId: zone.id,
  title: ChangeSetTitle.parse('A title'),
  description: ChangeSetDescription.parse('Several\nlines'),
  base: 1,
  patch: jsonDocument({ zone_settings: { b: null, a: [1, null] } }),
  operations: undefined,
  createdBy: userId,
  merge: aMerge(),
  ...given,
});

/** Adds a set like the use case, which locks the zone. */
export const added = (storage: Storage, owned: OwnedZone, given: Partial<NewChangeSet> = {}) =>
  storage.unitOfWork.run(({ changeSets, zoneChanges }) =>
    zoneChanges.lock(owned.zone.id, owned.userId).andThen(() => changeSets.add(aSet(owned, given), roomy)),
  );

/** Adds several sets to a zone, one after another. */
export async function addedOneByOne(storage: Storage, owned: OwnedZone, count: number): Promise<readonly ChangeSet[]> {
  const sets: ChangeSet[] = [];
  while (sets.length < count) sets.push(await okOf(added(storage, owned)));
  return sets;
}

/** Stores a zone with a change set. */
export async function zoneWithSet(storage: Storage, given: Partial<NewChangeSet> = {}) {
  const owned = await storedZone(storage);
  return { ...owned, set: await okOf(added(storage, owned, given)) };
}

/** The committed set. */
export const read = (storage: Storage, { zoneId, id }: Pick<NewChangeSet, 'zoneId' | 'id'>) =>
  readView(storage, ({ changeSets }) => changeSets.byId(zoneId, id));

/** A value without undefined members, so that it compares equal however it was read. */
export const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** A zone with a change set. */
export type WithSet = Awaited<ReturnType<typeof zoneWithSet>>;

/** The facts that an application to the zone is decided on. */
export const factsOf = (storage: Storage, { zone, userId }: OwnedZone) =>
  readView(storage, ({ zoneChanges }) => zoneChanges.facts(zone.id, userId));

/** Applies a set to its zone, based on facts read earlier. */
export const attempt = (
  storage: Storage,
  facts: Awaited<ReturnType<typeof factsOf>>,
  { id, revision }: WithSet['set'],
  plan: ZonePlan = { banToken: 'ban_by-a-set' },
) => {
  const changeSet = { id, revision, isAlone: Object.keys(plan).length === 0 };
  return storage.unitOfWork.single(({ zoneChanges }) =>
    applying(zoneChanges, facts, [], { ...aChange(plan), changeSet }),
  );
};

/** Applies a set to its zone. */
export const applySet = async (storage: Storage, of: WithSet, plan?: ZonePlan) =>
  okOf(attempt(storage, await factsOf(storage, of), of.set, plan));
