import { jsonDocument, patchPair, RevisionNumber, stateAt, statesAround, type ZoneId } from '@zonewright/core';
import { type Connection, postgresZoneHistory } from '@zonewright/postgres';
import { statementFile as file } from './statement-file.ts';

const statements = {
  thin: file('clean-up/thin.sql'),
  addSnapshot: file('clean-up/add-snapshot.sql'),
  keepInverse: file('clean-up/keep-inverse.sql'),
  referencesBefore: file('clean-up/references-before.sql'),
  moveContents: file('clean-up/move-contents.sql'),
  moveRest: file('clean-up/move-rest.sql'),
  removeBefore: file('clean-up/remove-before.sql'),
  appliedBefore: file('clean-up/applied-before.sql'),
  retiredBefore: file('clean-up/retired-before.sql'),
} as const;

/** A zone and the first revision of its remaining history. */
export interface CutOff {
  readonly zoneId: ZoneId;
  readonly number: number;
  readonly hasSnapshot: boolean;
}

/**
 * Deletes the revisions before the cut that have no snapshot, except those that later ones refer to: they get one.
 * Resolves to the deleted ones.
 */
export async function thin(on: Connection, cut: CutOff): Promise<readonly unknown[]> {
  const { zoneId: zone, number } = cut;
  if (!cut.hasSnapshot) await addSnapshot(on, zone, number);
  await on.none(statements.moveRest.prepared({ zone, number }));
  const origins = new Set((await referencesBefore(on, cut)).map(({ contentsFrom }) => contentsFrom));
  for (const origin of origins) await addSnapshot(on, zone, origin);
  return on.any(statements.thin.prepared({ zone, number }));
}

/**
 * Deletes everything before the cut. Its state becomes the beginning of the history; change sets applied and
 * rules removed before are forgotten. Resolves to the deleted revisions.
 */
export async function shorten(on: Connection, cut: CutOff): Promise<readonly unknown[]> {
  const { zoneId: zone, number } = cut;
  const history = postgresZoneHistory(on);
  const around = await history.byNumber(zone, number).andThen((revision) => statesAround({ history }, revision));
  // Deletes nothing if the state cannot be read.
  if (around.isErr()) return [];
  const { before, after } = around.value;
  await on.none(statements.keepInverse.prepared({ zone, number, inverse: patchPair(before, after).inverse.text }));
  if (!cut.hasSnapshot)
    await on.none(statements.addSnapshot.prepared({ zone, number, snapshot: jsonDocument(after).text }));
  await moveReferences(on, cut);
  await on.none(statements.appliedBefore.prepared({ zone, number }));
  await on.none(statements.retiredBefore.prepared({ zone, number }));
  return on.any(statements.removeBefore.prepared({ zone, number }));
}

/** Makes later revisions independent of what is before the cut: the first with a restored state gets it as a snapshot. */
async function moveReferences(on: Connection, cut: CutOff): Promise<void> {
  const { zoneId: zone } = cut;
  await on.none(statements.moveRest.prepared({ zone, number: cut.number }));
  const moved = new Set<number>();
  for (const { number, contentsFrom, isExact } of await referencesBefore(on, cut)) {
    if (moved.has(contentsFrom)) continue;
    await addSnapshot(on, zone, number);
    if (!isExact) continue;
    await on.none(statements.moveContents.prepared({ zone, number, from: contentsFrom }));
    moved.add(contentsFrom);
  }
}

/** A reference from after a cut to before it. */
interface Reference {
  readonly number: number;
  readonly contentsFrom: number;
  /** Whether both revisions have the same settings and rules. */
  readonly isExact: boolean;
}

const referencesBefore = (on: Connection, { zoneId: zone, number }: CutOff): Promise<readonly Reference[]> =>
  on.any<Reference>(statements.referencesBefore.prepared({ zone, number }));

/** Stores the state of a revision as a whole. */
async function addSnapshot(on: Connection, zone: ZoneId, number: number): Promise<void> {
  const state = await stateAt({ history: postgresZoneHistory(on) }, zone, RevisionNumber.parse(number));
  // A revision that others refer to exists.
  if (state.isErr()) throw new Error('A revision cannot be reconstructed.');
  await on.none(statements.addSnapshot.prepared({ zone, number, snapshot: jsonDocument(state.value).text }));
}
