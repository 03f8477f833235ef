import pgPromise from 'pg-promise';
import { isReadOnlyServer } from './failures.ts';
import { planning } from './planning.ts';
import type { Pooler } from './pooler.ts';
import { timeLimits } from './time-limits.ts';
import { type StatementServer, type StatementWatchers, watchedClient } from './watched-client.ts';

/** A pool of connections, or one connection in a transaction: statements run the same on both. */
export type Connection = pgPromise.IBaseProtocol<unknown>;

/** A pool of connections; outside of a transaction every statement may get another one of them. */
export type Database = pgPromise.IDatabase<unknown>;

/** How to reach the database, and who wants to know of statements and lost connections. */
export interface DatabaseOptions extends StatementWatchers {
  readonly url: string;
  /** What the URL leads to by what `prepareForPooler` says: nothing may be asked of a pooler that only a session can keep. */
  readonly pooler?: Pooler | undefined;
  /** At most so many connections. */
  readonly connections?: number;
  /** What those who follow statements learn of the server; the primary unless given. */
  readonly role?: StatementServer['role'];
  /** Called with connections that broke while they were idle. */
  readonly onLostConnection?: (error: Error) => void;
}

/** Milliseconds; the client's own limit, for a server that is gone. */
const queryTimeout = 8000;

/** The driver has no name for this setting. */
const planningOptions = { options: `-c plan_cache_mode=${planning.plan_cache_mode}` } as const;

/** Opens a pool; nothing connects before the first statement. Close it with `database.$pool.end()`. */
export function openDatabase({
  url,
  pooler,
  connections = 20,
  role = 'primary',
  onLostConnection,
  ...watchers
}: DatabaseOptions): Database {
  const pgp = pgPromise({ noWarnings: true, capSQL: true, error: giveUpConnection });
  const keepsStatements = pooler?.keepsStatements !== false;
  const database = pgp({
    connectionString: url,
    // Unless the URL has another name: what `pg_stat_activity` shows of connections.
    fallback_application_name: 'zonewright',
    Client: watchedClient(pgp.pg.Client, { ...watchers, keepsStatements, role }),
    max: connections,
    connectionTimeoutMillis: 3000,
    keepAlive: true,
    query_timeout: queryTimeout,
    ...(pooler === undefined ? { ...timeLimits, ...planningOptions } : {}),
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  database.$pool.on('error', (error: Error) => onLostConnection?.(error));
  return database;
}

/** A connection as pg and pg-promise see it. */
interface Cuttable {
  readonly connection: { readonly stream: { destroy(): void } };
  /** Once it is set, pg-promise does not give the connection back to the pool. */
  $connectionError?: Error;
}

/** Some failures mean that the connection must not be used again, whatever it is asked next. */
function giveUpConnection(error: unknown, { client }: { readonly client?: unknown }): void {
  if (!(error instanceof Error)) return;
  // The client is the driver's, whose public type lacks these members.
  const used = client as Cuttable;
  if (isReadOnlyServer(error)) used.$connectionError = error;
  if (error.message === 'Query read timeout') cut(used, error);
}

/**
 * After the client's own timeout it is unknown what the server is doing: the connection may be inside a transaction, which
 * the next unit would commit. It is closed at once and never used again.
 */
function cut(silent: Cuttable, error: Error): void {
  silent.$connectionError = error;
  silent.connection.stream.destroy();
}
