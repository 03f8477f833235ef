import {
  backendSnapshotInterval,
  type InstallationRetention,
  retentionPauseSeconds,
  type ZoneId,
} from '@zonewright/core';
import { type Connection, type Database, daysOf, rethrow, type Statement } from '@zonewright/postgres';
import { type CutOff, shorten, thin } from './cut-history.ts';
import { attempted, type BatchFailed, stopAtFailure, underCleanUpLock } from './expiry.ts';
import { statementFile as file } from './statement-file.ts';

const statements = {
  plan: file('clean-up/plan.sql'),
  beginWalk: file('clean-up/begin-walk.sql'),
  saveProgress: file('clean-up/save-progress.sql'),
  zones: file('clean-up/zones.sql'),
  thinnable: file('clean-up/thinnable.sql'),
  outdated: file('clean-up/outdated.sql'),
  lockZone: file('clean-up/lock-zone.sql'),
  recountRevisions: file('clean-up/recount-revisions.sql'),
  outdatedBackends: file('clean-up/outdated-backends.sql'),
  removeStates: file('clean-up/remove-states.sql'),
  forgetBackends: file('clean-up/forget-backends.sql'),
  permitAuditCleanUp: file('clean-up/permit-audit-clean-up.sql'),
  dropMonth: file('clean-up/drop-month.sql'),
  entriesOfMonths: file('clean-up/entries-of-months.sql'),
  entriesOfOrganizations: file('clean-up/entries-of-organizations.sql'),
} as const;

/** Rows that one step of a walk looks at. One statement deletes a zone's revisions, which can be large. */
const batches = {
  zones: 500,
  revisions: 200,
  states: 1000,
  entries: 1000,
  organizations: 20,
  entriesOfOrganization: 200,
} as const;
/** Above all revision numbers. */
const maxNumber = 2 ** 31 - 1;

/**
 * Deletes a batch of history and audit entries beyond their retention. Each walk passes through its table once a day,
 * in batches; one that fails leaves the others alone. Resolves to whether more is due now; also false when another
 * instance holds the lock.
 */
export async function applyRetention(
  database: Database,
  installation: InstallationRetention,
  onFailure: BatchFailed = stopAtFailure,
): Promise<boolean> {
  const plan = await database.one<DueWork>(statements.plan.prepared(daysIn(installation))).catch(rethrow);
  let hasMore = false;
  for (const [name, isDue, work] of works) {
    if (!isDue(plan, hasMore)) continue;
    const run = () => underCleanUpLock(database, (on) => work(on, installation));
    if (await attempted(name, run, onFailure)) hasMore = true;
  }
  return hasMore;
}

const daysIn = ({ auditLog, history, historyDetail }: InstallationRetention) => ({
  auditLog: daysOf(auditLog),
  history: daysOf(history),
  historyDetail: daysOf(historyDetail),
});

/** Runs the next step of a walk if due. A step resolves to the next position; undefined after the last one. */
async function walk(
  on: Connection,
  name: string,
  beginning: string,
  step: (position: string) => Promise<string | undefined>,
): Promise<boolean> {
  const begun = await on.oneOrNone<{ position: string }>(
    statements.beginWalk.prepared({ name, beginning, pauseSeconds: retentionPauseSeconds }),
  );
  if (begun === null) return false;
  const position = await step(begun.position);
  await on.none(statements.saveProgress.prepared({ name, position: position ?? null }));
  return position !== undefined;
}

const cutHistory = (on: Connection, installation: InstallationRetention): Promise<boolean> =>
  walk(on, 'history', '00000000-0000-0000-0000-000000000000', async (position) => {
    const rows = await on.any<{ id: ZoneId }>(statements.zones.prepared({ position, batch: batches.zones }));
    const zones = rows.map(({ id }) => id);
    const due = {
      thin: [installation.historyDetail, 'historyDetail'],
      outdated: [installation.history, 'history'],
    } as const;
    const among = ([retention, what]: (typeof due)[keyof typeof due]) => ({
      zones,
      what,
      days: daysOf(retention),
      batch: batches.revisions,
      maxNumber,
    });
    const isThinner = await eachOf(on, statements.thinnable, among(due.thin), thin);
    const isShorter = await eachOf(on, statements.outdated, among(due.outdated), shorten);
    // The same zones may have more.
    return isThinner || isShorter ? position : zones.at(-1);
  });

/** Cuts the history of each zone that the statement returns. Resolves to whether anything was deleted. */
async function eachOf(
  on: Connection,
  find: Statement,
  among: Readonly<Record<string, unknown>>,
  cut: (on: Connection, zone: CutOff) => Promise<readonly unknown[]>,
): Promise<boolean> {
  let hasRemoved = false;
  for (const zone of await on.any<CutOff>(find.prepared(among))) {
    const values = { zone: zone.zoneId, number: zone.number };
    await on.any(statements.lockZone.prepared(values));
    const removed = await cut(on, zone);
    await on.none(statements.recountRevisions.prepared(values));
    hasRemoved ||= removed.length > 0;
  }
  return hasRemoved;
}

/** Outdated rows in a batch of backend history. */
interface OutdatedBackends {
  /** Parallel lists of backend ids and revision numbers. */
  readonly backends: readonly string[];
  readonly numbers: readonly number[];
  /** Deleted backends whose remaining revisions can be deleted. */
  readonly deleted: readonly string[];
  readonly position: string | null;
}

const cutBackendHistory = (on: Connection, installation: InstallationRetention): Promise<boolean> =>
  walk(on, 'history of backends', '00000000-0000-0000-0000-000000000000/0', async (position) => {
    const { history, historyDetail } = daysIn(installation);
    const among = {
      position,
      history,
      historyDetail,
      snapshotInterval: backendSnapshotInterval,
      batch: batches.states,
      maxNumber,
    };
    const row = await on.one<OutdatedBackends>(statements.outdatedBackends.prepared(among));
    const { backends, numbers, deleted } = row;
    if (backends.length > 0) await on.none(statements.removeStates.prepared({ backends, numbers }));
    if (deleted.length > 0) await on.none(statements.forgetBackends.prepared({ deleted }));
    return row.position ?? undefined;
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
        await on.one(statements.permitAuditCleanUp.prepared());
        const next = await on.one<Removal>(
          statements.entriesOfMonths.prepared({ position, days: auditLog, batch: batches.entries }),
        );
        return next.position ?? undefined;
      });

const cutOrganizations = (on: Connection): Promise<boolean> =>
  walk(on, 'audit logs of organizations', '0', async (position) => {
    await on.one(statements.permitAuditCleanUp.prepared());
    const { removed, position: next } = await on.one<Removal>(
      statements.entriesOfOrganizations.prepared({
        position,
        organizations: batches.organizations,
        entries: batches.entriesOfOrganization,
      }),
    );
    // The same organizations may have more.
    return removed > 0 ? position : (next ?? undefined);
  });

interface DueWork {
  readonly history: boolean;
  readonly auditLog: boolean;
}

const ofHistory = ({ history }: DueWork): boolean => history;
/** After zones, when they need as few states of backends as possible. */
const afterHistory = ({ history }: DueWork, hasMore: boolean): boolean => history && !hasMore;
const ofAuditLog = ({ auditLog }: DueWork): boolean => auditLog;

/** In this order. */
const works = [
  ['history', ofHistory, cutHistory],
  ['history-of-backends', afterHistory, cutBackendHistory],
  ['audit-log-partitions', ofAuditLog, dropMonth],
  ['audit-log', ofAuditLog, cutMonths],
  ['audit-logs-of-organizations', ofAuditLog, cutOrganizations],
] as const;
