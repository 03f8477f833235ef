import type pgPromise from 'pg-promise';

/** A statement as sent to the server; prepared ones have a name. */
export interface SentStatement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Names a single execution. */
  readonly portal?: string;
}

/** The server of a connection, as configured. */
export interface StatementServer {
  /** A host, an address, or the folder of a Unix socket; of the pooler, if there is one. */
  readonly address: string;
  readonly port: number;
  readonly database: string;
}

/** A traced statement. */
export interface TracedStatement {
  /** The id of its request, for the server's log and reports of slow statements. */
  readonly request: string;
  /** Called once when the statement has ended, with the failure if any. */
  ended(failure: Error | undefined): void;
}

/** A statement that succeeded or failed after a second or longer. */
export interface SlowStatement {
  /** Its file name, or its first keyword. */
  readonly statement: string;
  readonly milliseconds: number;
  /** The server process as in its log and `pg_stat_activity`; behind a pooler, the one of the pooler's connection. */
  readonly serverProcess: number;
  /** Only for traced statements. */
  readonly request: string | undefined;
}

/** Optional observers of statements. */
export interface StatementWatchers {
  /** Called before each statement, including those that begin and end transactions. */
  readonly onStatement?: ((statement: SentStatement) => void) | undefined;
  readonly onSlowStatement?: ((slow: SlowStatement) => void) | undefined;
  /** Called before each statement in its sender's asynchronous context; undefined if it is not traced. */
  readonly trace?: ((statement: SentStatement, server: StatementServer) => TracedStatement | undefined) | undefined;
}

const slowMilliseconds = 1000;

type Client = InstanceType<ReturnType<typeof pgPromise>['pg']['Client']>;
type ClientClass = new (...given: ConstructorParameters<ReturnType<typeof pgPromise>['pg']['Client']>) => Client;

/** The only overload that pg-promise calls. */
type Send = (
  this: Client,
  statement: string | SentStatement,
  values: unknown,
  done: (failure: Error | undefined, result: unknown) => void,
) => void;

interface WatchedOptions extends StatementWatchers {
  readonly keepsStatements: boolean;
}

/**
 * Creates a connection class that reports every statement to the observers. Unless the other side keeps prepared
 * statements, they are sent unnamed: parsed each time, and never kept.
 */
export function watchedClient(
  Plain: ClientClass,
  { onStatement, onSlowStatement, trace, keepsStatements }: WatchedOptions,
): ClientClass {
  class Watched extends Plain {}
  // The public type has four overloads; only one of them is called.
  const send = Plain.prototype.query as Send;
  const watchedSend: Send = function (statement, values, done) {
    const sent = typeof statement === 'string' ? { text: statement } : statement;
    onStatement?.(sent);
    const traced = trace?.(sent, serverOf(this));
    const began = performance.now();
    const named = traced === undefined ? statement : forRequest(statement, traced);
    send.call(this, keepsStatements ? named : withoutName(named), values, (failure, result) => {
      traced?.ended(failure);
      const milliseconds = performance.now() - began;
      if (milliseconds >= slowMilliseconds) onSlowStatement?.(slow(sent, milliseconds, this, traced));
      done(failure, result);
    });
  };
  Object.assign(Watched.prototype, { query: watchedSend });
  return Watched;
}

const serverOf = ({ host: address, port, database }: Client): StatementServer => ({ address, port, database });

const withoutName = (statement: string | SentStatement): string | SentStatement =>
  typeof statement === 'string' ? statement : { ...statement, name: '' };

const slow = (
  { name, text }: SentStatement,
  milliseconds: number,
  { processID }: Client,
  traced: TracedStatement | undefined,
): SlowStatement => ({
  statement: name ?? (text.split(' ', 1)[0] || 'none'),
  milliseconds: Math.round(milliseconds),
  serverProcess: processID,
  request: traced?.request,
});

/** PostgreSQL truncates portal names to this many bytes. */
const maxPortalBytes = 63;
let portals = 0;

/**
 * The server logs a statement with the names of statement and portal. The portal's name can change with every
 * execution, so it can contain the request id without affecting the prepared statement. Portals last until the end of
 * their transaction, so each needs another name.
 */
function forRequest(statement: string | SentStatement, { request }: TracedStatement): string | SentStatement {
  if (typeof statement === 'string') return statement;
  portals = (portals + 1) % 1_000_000_000;
  const end = `.${portals.toString(36)}`;
  return { ...statement, portal: `${request.slice(0, maxPortalBytes - end.length)}${end}` };
}
