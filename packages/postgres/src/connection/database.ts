import pgPromise from 'pg-promise';
import { isConnectionFailure, isReadOnlyServer } from './failures.ts';
import { sessionSettings } from './session-settings.ts';
import { timeLimits } from './time-limits.ts';
import { type StatementWatchers, watchedClient } from './watched-client.ts';

/** A connection pool, or one connection in a transaction: statements run in the same way on both. */
export type Connection = pgPromise.IBaseProtocol<unknown>;

/** A connection pool; outside a transaction, each statement may use another connection. */
export type Database = pgPromise.IDatabase<unknown>;

/** Whether a connection pooler such as PgBouncer is in between, and whether it keeps prepared statements too. */
export type Pooler = 'off' | 'on' | 'prepared';

/** How to reach the database, and observers of statements and lost connections. */
export interface DatabaseOptions extends StatementWatchers {
  readonly url: string;
  /** With a pooler, the settings of sessions have to be those of the role. None by default. */
  readonly pooler?: Pooler;
  /** Maximum connections. */
  readonly connections?: number;
  /** Called when an idle connection breaks. */
  readonly onLostConnection?: (error: Error) => void;
}

/** Client-side timeout in milliseconds, for an unresponsive server. */
const queryTimeout = 8000;

/** The driver has no option for this setting. */
const planningOptions = { options: `-c plan_cache_mode=${sessionSettings.plan_cache_mode}` } as const;

/** Opens a pool, which connects at the first statement. Close it with `database.$pool.end()`. */
export function openDatabase({
  url,
  pooler = 'off',
  connections = 20,
  onLostConnection,
  ...watchers
}: DatabaseOptions): Database {
  const pgp = pgPromise({ noWarnings: true, capSQL: true, error: giveUpConnection });
  const database = pgp({
    connectionString: url,
    // Shown in `pg_stat_activity`, unless the URL sets another name.
    fallback_application_name: 'zonewright',
    Client: watchedClient(pgp.pg.Client, { ...watchers, keepsStatements: pooler !== 'on' }),
    max: connections,
    connectionTimeoutMillis: 3000,
    keepAlive: true,
    query_timeout: queryTimeout,
    ...(pooler === 'off' ? { ...timeLimits, ...planningOptions } : {}),
  });
  // The pool replaces a broken idle connection; without a listener, the error would crash the process.
  database.$pool.on('error', (error: Error) => onLostConnection?.(error));
  return database;
}

/** A connection as pg and pg-promise see it. */
interface DriverConnection {
  readonly connection: { readonly stream: { destroy(): void } };
  /** Set to keep pg-promise from returning the connection to the pool. */
  $connectionError?: Error;
}

/** Discards the connection after failures that affect every later statement. */
export function giveUpConnection(error: unknown, { client }: { readonly client?: unknown }): void {
  // pg-promise also reports connections that were idle or never opened, which the pool discards by itself.
  if (!(error instanceof Error) || client === undefined) return;
  // The driver does not declare these members.
  const used = client as DriverConnection;
  if (isReadOnlyServer(error) || isConnectionFailure(error)) used.$connectionError = error;
  if (error.message === 'Query read timeout') destroyConnection(used, error);
}

/**
 * After a client-side timeout the server's state is unknown: the connection may be in a transaction, which the next
 * unit would commit. So it is closed at once and never reused.
 */
function destroyConnection(client: DriverConnection, error: Error): void {
  client.$connectionError = error;
  client.connection.stream.destroy();
}
