import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import { clientOf, type Reply } from '../../support/client.ts';
import { freshDatabase } from '../../support/database.ts';
import { type Mailbox, openMailbox } from '../../support/mailbox.ts';
import { type ApiProcess, type Home, makeHome, startApi } from './api-process.ts';
import { type DatabaseLink, openDatabaseLink } from './database-link.ts';
import { expectConsistentDatabase } from './people.ts';
import { until } from './until.ts';

/** One request, which is interrupted again and again, each time at a later statement. */
export interface Scenario<S> {
  /** Creates a new subject for each interruption. */
  readonly arrange: () => Promise<S>;
  readonly request: (subject: S) => Promise<Reply>;
  readonly succeeds: number;
  /** What must hold on the restarted service, given how many of the request's transactions had committed. */
  readonly check: (subject: S, commits: number) => Promise<void>;
}

/** Whether a statement is sent outside a transaction and commits by itself. */
const commitsAlone = (name: string): boolean =>
  /^(sign-ins\/open-silently|refresh-tokens\/rotate|zone-changes\/apply)\b/.test(name);

/** Whether what came before is permanent once the statement has been executed. */
const isPermanent = (name: string): boolean => name.toUpperCase() === 'COMMIT' || commitsAlone(name);

/**
 * After how many statements to interrupt: before and after each that makes something permanent, and at the end. What
 * an earlier statement made permanent too soon is still there at the next cut.
 */
const cutsOf = (names: readonly string[]): readonly number[] =>
  names.flatMap((name, index) => {
    const next = names[index + 1];
    return isPermanent(name) || next === undefined || isPermanent(next) ? [index + 1] : [];
  });

/** A service in a process of its own, which the tests of a suite kill and restart. */
export interface DoomedService {
  /** Where it is now: each restart has another port. */
  readonly place: () => { readonly url: string; readonly database: Database };
  readonly mails: () => Mailbox;
  readonly post: (path: string, body: unknown) => Promise<Reply>;
  /** The result of a query with one column, `count`. */
  readonly count: (query: string, values: readonly unknown[]) => Promise<number>;
  readonly liveSessions: (user: string) => Promise<number>;
  /** Interrupts the request at each of its cuts, kills the process with all of them pending, and restarts it. */
  readonly killAtEachCut: <S>(scenario: Scenario<S>) => Promise<void>;
}

/** Starts the service before the tests of the calling suite, and ends it afterwards. */
export function doomedService(): DoomedService {
  let home: Home;
  let mails: Mailbox;
  let database: Database;
  let link: DatabaseLink;
  let api: ApiProcess;
  const start = () => startApi(home, { DATABASE_URL: link.url, SMTP_URL: mails.url, LOG_LEVEL: 'warn' });

  before(async () => {
    home = makeHome();
    mails = await openMailbox();
    const fresh = await freshDatabase();
    database = fresh.database;
    link = await openDatabaseLink(fresh.url);
    api = await start();
  });
  after(async () => {
    await api.kill();
    await link.close();
    await database.$pool.end();
    await mails.close();
    home.remove();
  });

  const restartAfterKill = async () => {
    await api.kill();
    await until(() => isQuiet(database));
    await expectConsistentDatabase(database);
    api = await start();
  };
  const count = async (query: string, values: readonly unknown[]) =>
    (await database.one<{ count: number }>(query, [...values])).count;
  return {
    place: () => ({ url: api.url, database }),
    mails: () => mails,
    post: (path, body) => clientOf(api.url).post(path, body),
    count,
    liveSessions: (user) => count('SELECT count(*)::int FROM sessions WHERE user_id = $1 AND ended_at IS NULL', [user]),
    killAtEachCut: async (scenario) => {
      const cuts = await interruptions(link, scenario);
      await restartAfterKill();
      await checkEach(cuts, scenario);
      await expectConsistentDatabase(database);
    },
  };
}

/** A subject whose request was interrupted after these statements. */
interface Interruption<S> {
  readonly subject: S;
  readonly executed: readonly string[];
}

/** Interrupts the request at each of its cuts, each time for another subject. */
async function interruptions<S>(
  link: DatabaseLink,
  { arrange, request, succeeds }: Scenario<S>,
): Promise<readonly Interruption<S>[]> {
  const whole = await arrange();
  const names = await link.namesDuring(async () => {
    const reply = await request(whole);
    expect(reply.status, reply.text).to.equal(succeeds);
  });
  // The interruptions must hit a transaction of several statements, or a statement that commits by itself.
  expect(names.lastIndexOf('COMMIT') >= 4 || names.some(commitsAlone), names.join()).to.equal(true);
  const cutAfter = async (length: number) => ({ subject: await arrange(), executed: names.slice(0, length) });
  // All subjects are arranged first: interrupted transactions keep their locks.
  const cuts = await Promise.all(cutsOf(names).map(cutAfter));
  for (const { subject, executed } of cuts) await link.holdAfter(executed.length, () => request(subject));
  return cuts;
}

async function checkEach<S>(cuts: readonly Interruption<S>[], { check }: Scenario<S>): Promise<void> {
  for (const { subject, executed } of cuts) {
    const commits = executed.filter(isPermanent).length;
    await check(subject, commits).catch((failure: Error) => {
      failure.message = `cut after ${executed.join(', ')}: ${failure.message}`;
      throw failure;
    });
  }
}

/** No other connection exists, so the killed process's transactions have been rolled back. */
const isQuiet = async (database: Database): Promise<boolean> => {
  const { busy } = await database.one<{ busy: number }>(
    `SELECT count(*)::int AS busy FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
  );
  return busy === 0;
};
