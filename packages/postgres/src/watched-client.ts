import type pgPromise from 'pg-promise';

/** A statement as it goes to the server; prepared ones have a name. */
export interface SentStatement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** The name of one execution. */
  readonly portal?: string;
}

/** Which server a connection leads to, as far as its client knows. */
export interface StatementServer {
  /** A host, an address, or the folder of a Unix socket; behind a pooler those of the pooler. */
  readonly address: string;
  readonly port: number;
  readonly database: string;
  readonly role: 'primary' | 'standby';
}

/** A statement that is followed on its way to the server and back. */
export interface FollowedStatement {
  /** The id of the request that it serves: the log of the server names it, and so does the report of a slow statement. */
  readonly request: string;
  /** Called once when the statement has ended, with the failure if there was one. */
  ended(failure: Error | undefined): void;
}

/** A statement that took a second or longer, or failed after that time. */
export interface SlowStatement {
  /** The name of its file, or its first word. */
  readonly statement: string;
  readonly milliseconds: number;
  /** The process of the server, as its log and `pg_stat_activity` name it; behind a pooler that of the pooler's connection. */
  readonly serverProcess: number;
  /** Of statements that are followed. */
  readonly request: string | undefined;
}

/** Those who want to know of statements; nobody is asked who is not there. */
export interface StatementWatchers {
  /** Called with each statement before it is sent, those that begin and end transactions included. */
  readonly onStatement?: ((statement: SentStatement) => void) | undefined;
  readonly onSlowStatement?: ((slow: SlowStatement) => void) | undefined;
  /** Called with each statement before it is sent, in the asynchronous context of its sender; undefined: not followed. */
  readonly follow?: ((statement: SentStatement, server: StatementServer) => FollowedStatement | undefined) | undefined;
}

const slowMilliseconds = 1000;

type Client = InstanceType<ReturnType<typeof pgPromise>['pg']['Client']>;
type ClientClass = new (...given: ConstructorParameters<ReturnType<typeof pgPromise>['pg']['Client']>) => Client;

/** The one form in which pg-promise calls the method. */
type Send = (
  this: Client,
  statement: string | SentStatement,
  values: unknown,
  done: (failure: Error | undefined, result: unknown) => void,
) => void;

/** What is watched of connections, and what the other side is. */
interface WatchedOptions extends StatementWatchers, Pick<StatementServer, 'role'> {
  readonly keepsStatements: boolean;
}

/**
 * The class of connections whose every statement is reported to the watchers. Where the other side cannot keep prepared
 * statements, they are sent without their names: each is parsed anew, and none stays behind.
 */
export function watchedClient(
  Plain: ClientClass,
  { onStatement, onSlowStatement, follow, keepsStatements, role }: WatchedOptions,
): ClientClass {
  class Watched extends Plain {}
  // The public type has four forms of the method; only one of them is called.
  const send = Plain.prototype.query as Send;
  const watchedSend: Send = function (statement, values, done) {
    const sent = typeof statement === 'string' ? { text: statement } : statement;
    onStatement?.(sent);
    const followed = follow?.(sent, serverOf(this, role));
    const began = performance.now();
    const named = followed === undefined ? statement : forRequest(statement, followed);
    send.call(this, keepsStatements ? named : withoutName(named), values, (failure, result) => {
      followed?.ended(failure);
      const milliseconds = performance.now() - began;
      if (milliseconds >= slowMilliseconds) onSlowStatement?.(slow(sent, milliseconds, this, followed));
      done(failure, result);
    });
  };
  Object.assign(Watched.prototype, { query: watchedSend });
  return Watched;
}

const serverOf = ({ host: address, port, database }: Client, role: StatementServer['role']): StatementServer => ({
  address,
  port,
  database,
  role,
});

const withoutName = (statement: string | SentStatement): string | SentStatement =>
  typeof statement === 'string' ? statement : { ...statement, name: '' };

const slow = (
  { name, text }: SentStatement,
  milliseconds: number,
  { processID }: Client,
  followed: FollowedStatement | undefined,
): SlowStatement => ({
  statement: name ?? (text.split(' ', 1)[0] || 'none'),
  milliseconds: Math.round(milliseconds),
  serverProcess: processID,
  request: followed?.request,
});

/** What the server keeps of the name of a portal, in bytes. */
const maxPortalBytes = 63;
let portals = 0;

/**
 * The server logs a statement under its name and that of its portal, which is free for every execution: a request named
 * there costs the prepared statement nothing. Portals of a transaction last as long as it does, so each has another name.
 */
function forRequest(statement: string | SentStatement, { request }: FollowedStatement): string | SentStatement {
  if (typeof statement === 'string') return statement;
  portals = (portals + 1) % 1_000_000_000;
  const end = `.${portals.toString(36)}`;
  return { ...statement, portal: `${request.slice(0, maxPortalBytes - end.length)}${end}` };
}
