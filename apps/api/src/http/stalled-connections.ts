import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How many bytes a connection has sent, and since when that has not changed. */
interface Progress {
  readonly unsent: number;
  /** Bytes since the connection was opened. */
  readonly written: number;
  readonly since: number;
}

interface UnreadLimits {
  /** Milliseconds without progress after which a connection is dropped. */
  readonly answerTimeout: number;
  /** Milliseconds between checks. */
  readonly interval: number;
}

/**
 * Drops connections whose clients stop reading: unread responses occupy memory. A slow reader makes progress and stays
 * connected.
 */
export function dropStalledConnections(server: Server, { answerTimeout, interval }: UnreadLimits): void {
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

/** Node's internal stream handle: it counts the bytes that the kernel has not accepted during a write. */
interface Handle {
  readonly writeQueueSize?: number;
}

/** Bytes not sent yet. `writableLength` alone decreases only when a whole write finishes. */
function unsentBytes(socket: Socket): number {
  // Sockets do not declare the handle in their public type.
  const { _handle: handle } = socket as { readonly _handle?: Handle | null };
  return handle?.writeQueueSize ?? socket.writableLength;
}
