import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type SentStatement, statementReader } from './statement-reader.ts';

/**
 * A way to the database that knows what passes: it can name the statements of a request, and stop the world for one
 * connection between two of them. So a process can be killed at each of these places without knowing anything of it.
 */
export interface DatabaseLink {
  /** The URL of the server, by way of this link. */
  readonly url: string;
  /** New connections go to this server from now on. */
  leadTo(url: string): void;
  /** The names of the statements that the work sends; without `BEGIN`, which alone changes nothing, and counters of limits. */
  namesDuring(work: () => Promise<unknown>): Promise<readonly string[]>;
  /**
   * Begins the work and resolves when the server has executed so many of its statements. The answer to the last one
   * never arrives: the connection stays as it is until one side hangs up.
   */
  holdAfter(statements: number, work: () => Promise<unknown>): Promise<void>;
  /**
   * Connections that exist now carry nothing any more, and neither side notices; new ones are fine. The function it returns
   * ends the silent ones for good.
   */
  silence(): () => void;
  close(): Promise<void>;
}

/**
 * Statements that are no part of what a request does: those of the workers in the background, whose transactions are
 * theirs alone, and the counters of limits, which are independent and not needed by every request.
 */
const isApart = (name: string): boolean =>
  /^(outbox\/(claim|finish|retry-later)|clean-up\/|rate[-_]limits\b)/.test(name);

/** Who listens to the statements of requests. */
interface Watch {
  /** Whether the answer to this statement is withheld. */
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
        // Once the statement is held, how the request ends does not matter any more.
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

/** Whatever one side says the other one hears, unless it is withheld; when one side ends, so does the other. */
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

/** Tells statements of requests from all others, by what follows the `BEGIN` of their transaction. */
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

/** ReadyForQuery ends every answer: type, length 5, state of the transaction. */
const isReady = (answer: Buffer): boolean =>
  answer.length >= 6 && answer.subarray(-6, -1).equals(Buffer.from([0x5a, 0, 0, 0, 5]));
