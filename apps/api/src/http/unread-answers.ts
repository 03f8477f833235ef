import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How far a connection has come with what it has to send, and since when it has been there. */
interface Progress {
  readonly unsent: number;
  /** Of the connection since it began. */
  readonly written: number;
  readonly since: number;
}

interface UnreadLimits {
  /** Milliseconds without progress after which a connection is dropped. */
  readonly answerTimeout: number;
  /** Milliseconds between two looks. */
  readonly interval: number;
}

/**
 * Drops connections whose clients take nothing of their answer: what waits to be read is memory of the process. A
 * client that reads slowly makes progress and keeps its connection.
 */
export function dropUnread(server: Server, { answerTimeout, interval }: UnreadLimits): void {
  const connections = new Map<Socket, Progress>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { unsent: 0, written: 0, since: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, before] of connections) {
      const [unsent, written] = [unsentBytes(socket), socket.bytesWritten];
      const isAtRest = unsent > 0 && unsent === before.unsent && written === before.written;
      if (!isAtRest) connections.set(socket, { unsent, written, since: now });
      else if (now - before.since >= answerTimeout) socket.destroy();
    }
  }, interval).unref();
  server.once('close', () => clearInterval(timer));
}

/** The part of a stream that Node does not publish: bytes that the kernel has not taken yet, while a write goes on. */
interface Handle {
  readonly writeQueueSize?: number;
}

/** Bytes that the client's side has not taken; without the handle's figure they shrink write by write. */
function unsentBytes(socket: Socket): number {
  // The handle is not part of the public type of sockets.
  const { _handle: handle } = socket as { readonly _handle?: Handle | null };
  return handle?.writeQueueSize ?? socket.writableLength;
}
