import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type SentStatement, statementReader } from './statement-reader.ts';

/**
 * A proxy for the database that parses statements: it can list those of a request, and block one connection between two
 * of them. The process can thus be killed at each point without any hook in it.
 */
export interface DatabaseLink {
  /** The server's URL through this proxy. */
  readonly url: string;
  /** Routes new connections to another server. */
  leadTo(url: string): void;
  /**
   * The names of the statements sent by the work, without `BEGIN`, which changes nothing, and without rate limit
   * counters.
   */
  namesDuring(work: () => Promise<unknown>): Promise<readonly string[]>;
  /**
   * Starts the work and resolves when the server has executed this many of its statements. The response to the last one
   * is withheld until one side closes the connection.
   */
  holdAfter(statements: number, work: () => Promise<unknown>): Promise<void>;
  /** Silently drops traffic on current connections; new ones work. The returned function closes them. */
  silence(): () => void;
  close(): Promise<void>;
}

/**
 * Statements outside the request's own work: those of background workers, which have their own transactions, and rate
 * limit counters, which not every request needs.
 */
const isApart = (name: string): boolean =>
  /^(outbox\/(claim|finish|retry-later)|domain-checks\/|edge-feed\/|edge-states\/|rollouts\/|clean-up\/|ping\b|rate[-_]limits\b)/.test(
    name,
  );

/** Observes the statements of requests. */
interface Watch {
  /** Whether to withhold the response to this statement. */
  onStatement(name: string): boolean;
  onHeld(): void;
}

export async function openDatabaseLink(target: string): Promise<DatabaseLink> {
  let { hostname, port } = new URL(target);
  let watch: Watch | undefined;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    return socket;
  };
  const server = createServer((client) => join(keep(client), keep(connect(Number(port), hostname)), () => watch));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    leadTo: (next) => {
      ({ hostname, port } = new URL(next));
    },
    namesDuring: async (work) => {
      const names: string[] = [];
      watch = { onStatement: (name) => names.push(name) === 0, onHeld: () => undefined };
      try {
        await work();
      } finally {
        watch = undefined;
      }
      return names;
    },
    holdAfter: (statements, work) => {
      let left = statements;
      const isLast = () => {
        left -= 1;
        return left === 0;
      };
      return new Promise<void>((resolve, reject) => {
        watch = { onStatement: isLast, onHeld: resolve };
        // Once the statement is held, the outcome of the request is irrelevant.
        work().then(() => reject(new Error(`The request ended ${left} statements early.`)), reject);
      }).finally(() => {
        watch = undefined;
      });
    },
    silence: () => {
      const silent = [...sockets].map((socket) => socket.pause());
      return () => silent.forEach((socket) => socket.destroy());
    },
    close: async () => {
      const closed = once(server.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Forwards both directions unless withheld; closing one side closes the other. */
function join(client: Socket, server: Socket, watch: () => Watch | undefined): void {
  const read = statementReader();
  const isOfRequest = requestFilter();
  let holder: Watch | undefined;
  let withheld = Buffer.alloc(0);
  const send = ({ name, bytes }: SentStatement) => {
    const current = watch();
    if (isOfRequest(name) && current?.onStatement(name) === true) holder = current;
    server.write(bytes);
  };
  client.on('data', (chunk: Buffer) => read(chunk).forEach(send));
  server.on('data', (chunk: Buffer) => {
    if (holder === undefined) return void client.write(chunk);
    withheld = Buffer.concat([withheld, chunk]);
    if (isReady(withheld)) holder.onHeld();
  });
  client.on('close', () => server.destroy());
  server.on('close', () => client.destroy());
}

/** Recognizes statements of requests by the first statement of their transaction. */
function requestFilter(): (name: string) => boolean {
  let inTransaction = false;
  let isElsewhere = false;
  return (name) => {
    if (name === '') return false;
    const word = name.toUpperCase();
    if (word === 'BEGIN') inTransaction = true;
    else if (isApart(name)) isElsewhere = true;
    const counts = word !== 'BEGIN' && !isElsewhere;
    if (word === 'COMMIT' || word === 'ROLLBACK') inTransaction = false;
    if (!inTransaction) isElsewhere = false;
    return counts;
  };
}

/** ReadyForQuery ends every response: type, length 5, transaction status. */
const isReady = (answer: Buffer): boolean =>
  answer.length >= 6 && answer.subarray(-6, -1).equals(Buffer.from([0x5a, 0, 0, 0, 5]));
