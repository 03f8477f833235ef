import { type InstallationRetention, jsonDocument, RevisionNumber, stateAt, type ZoneId } from '@zonewright/core';
import { cleanUpLock } from './clean-up.ts';
import type { Connection, Database } from './database.ts';
import { storageFailure } from './failures.ts';
import { postgresZoneHistory } from './history.ts';
import { daysOf } from './retention.ts';
import { sql } from './sql.ts';
import type { Statement } from './statement.ts';

const statements = sql.cutBack;

/**
 * Removes a part of the history and of the audit log that nobody keeps any more. Each walk goes through its table once a day, a
 * stretch at a time. Resolves to whether there is more to do now; false also when another instance is at it.
 */
export async function cutBack(database: Database, usual: InstallationRetention): Promise<boolean> {
  try {
    const plan = await database.one<{ history: boolean; auditLog: boolean }>(statements.plan.prepared(daysIn(usual)));
    const works = [
      ...(plan.history ? [cutHistories] : []),
      ...(plan.auditLog ? [dropMonth, cutMonths, cutOrganizations] : []),
    ];
    let hasMore = false;
    for (const work of works) if (await alone(database, (on) => work(on, usual))) hasMore = true;
    return hasMore;
  } catch (failure) {
    throw storageFailure(failure);
  }
}

const daysIn = ({ auditLog, history, historyDetail }: InstallationRetention) => ({
  auditLog: daysOf(auditLog),
  history: daysOf(history),
  historyDetail: daysOf(historyDetail),
});

const alone = (database: Database, work: (on: Connection) => Promise<boolean>): Promise<boolean> =>
  database.tx(async (transaction) => {
    const { locked } = await transaction.one<{ locked: boolean }>(cleanUpLock.prepared());
    return locked && work(transaction);
  });

/** Takes the next step of a walk, if one is due. A step resolves to the next position; undefined: it was the last one. */
async function walk(
  on: Connection,
  name: string,
  beginning: string,
  step: (position: string) => Promise<string | undefined>,
): Promise<boolean> {
  const begun = await on.oneOrNone<{ position: string }>(statements.beginWalk.prepared({ name, beginning }));
  if (begun === null) return false;
  const position = await step(begun.position);
  await on.none(statements.goOn.prepared({ name, position: position ?? null }));
  return position !== undefined;
}

/** Those of backends follow those of zones: what a zone needs is then as little as it will be. */
const cutHistories = async (on: Connection, usual: InstallationRetention): Promise<boolean> =>
  (await cutHistory(on, usual)) || cutBackendHistory(on, usual);

const cutHistory = (on: Connection, usual: InstallationRetention): Promise<boolean> =>
  walk(on, 'history', '00000000-0000-0000-0000-000000000000', async (position) => {
    const found = await on.any<{ id: ZoneId }>(statements.zones.prepared({ position }));
    const zones = found.map(({ id }) => id);
    const due = { thin: [usual.historyDetail, 'historyDetail'], outdated: [usual.history, 'history'] } as const;
    const among = ([retention, what]: (typeof due)[keyof typeof due]) => ({ zones, what, days: daysOf(retention) });
    const isThinner = await eachOf(on, statements.thinnable, among(due.thin), thin);
    const isShorter = await eachOf(on, statements.outdated, among(due.outdated), shorten);
    // There may be more of the same zones.
    return isThinner || isShorter ? position : zones.at(-1);
  });

/** A zone and the revision before which its history can be cut. */
interface Cut {
  readonly zoneId: ZoneId;
  readonly number: number;
  readonly hasSnapshot: boolean;
}

/** Cuts the history of each zone that a statement finds. Resolves to whether anything was removed. */
async function eachOf(
  on: Connection,
  find: Statement,
  among: Readonly<Record<string, unknown>>,
  cut: (on: Connection, zone: Cut) => Promise<readonly unknown[]>,
): Promise<boolean> {
  let hasRemoved = false;
  for (const zone of await on.any<Cut>(find.prepared(among))) {
    const values = { zone: zone.zoneId, number: zone.number };
    await on.any(statements.lockZone.prepared(values));
    const removed = await cut(on, zone);
    await on.none(statements.settle.prepared(values));
    hasRemoved ||= removed.length > 0;
  }
  return hasRemoved;
}

const thin = (on: Connection, { zoneId: zone, number }: Cut) => on.any(statements.thin.prepared({ zone, number }));

/** The state at the cut becomes the beginning of what is left, and change sets that were applied before go as well. */
async function shorten(on: Connection, { zoneId: zone, number, hasSnapshot }: Cut): Promise<readonly unknown[]> {
  if (!hasSnapshot) {
    const state = await stateAt({ history: postgresZoneHistory(on, undefined) }, zone, RevisionNumber.parse(number));
    // Nothing is removed that could not be read.
    if (state.isErr()) return [];
    const { text } = jsonDocument(state.value);
    await on.none(statements.addSnapshot.prepared({ zone, number, snapshot: text }));
  }
  await on.none(statements.appliedBefore.prepared({ zone, number }));
  return on.any(statements.removeBefore.prepared({ zone, number }));
}

/** What of a stretch of the history of backends is not kept any more. */
interface OutdatedBackends {
  /** Revisions: a backend each, and a number each. */
  readonly backends: readonly string[];
  readonly numbers: readonly number[];
  /** Backends that nobody needs to know were deleted, once their other revisions are gone. */
  readonly deleted: readonly string[];
  readonly position: string | null;
}

const cutBackendHistory = (on: Connection, usual: InstallationRetention): Promise<boolean> =>
  walk(on, 'history of backends', '00000000-0000-0000-0000-000000000000/0', async (position) => {
    const { history, historyDetail } = daysIn(usual);
    const among = { position, history, historyDetail };
    const found = await on.one<OutdatedBackends>(statements.outdatedBackends.prepared(among));
    const { backends, numbers, deleted } = found;
    if (backends.length > 0) await on.none(statements.removeStates.prepared({ backends, numbers }));
    if (deleted.length > 0) await on.none(statements.forgetBackends.prepared({ deleted }));
    return found.position ?? undefined;
  });

const dropMonth = async (on: Connection, { auditLog }: InstallationRetention): Promise<boolean> =>
  (await on.one<{ dropped: boolean }>(statements.dropMonth.prepared({ days: daysOf(auditLog) }))).dropped;

interface Removal {
  readonly removed: number;
  readonly position: string | null;
}

const cutMonths = (on: Connection, { auditLog }: InstallationRetention): Promise<boolean> =>
  auditLog === 'forever'
    ? Promise.resolve(false)
    : walk(on, 'audit log', '0', async (position) => {
        await on.one(statements.saySo.prepared());
        const next = await on.one<Removal>(statements.entriesOfMonths.prepared({ position, days: auditLog }));
        return next.position ?? undefined;
      });

const cutOrganizations = (on: Connection): Promise<boolean> =>
  walk(on, 'audit logs of organizations', '0', async (position) => {
    await on.one(statements.saySo.prepared());
    const { removed, position: next } = await on.one<Removal>(statements.entriesOfOrganizations.prepared({ position }));
    // There may be more of the same organizations.
    return removed > 0 ? position : (next ?? undefined);
  });
