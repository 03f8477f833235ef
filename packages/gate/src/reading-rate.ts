import type { Socket } from 'node:net';

/** A stretch of time in which bytes should move. */
export interface Stretch {
  /** Bytes moved before it. */
  readonly before: number;
  /** Milliseconds of `performance.now()`. */
  readonly since: number;
}

/** The lowest rate at which a client may read. */
export interface ReadingRate {
  readonly bytesPerSecond: number;
  /** Milliseconds after which a stretch is judged, and the next one begins. */
  readonly milliseconds: number;
}

/** Whether fewer bytes have moved since the stretch began than the rate asks for. */
export const isBelowRate = (moved: number, { before, since }: Stretch, now: number, bytesPerSecond: number): boolean =>
  (moved - before) * 1000 < (now - since) * bytesPerSecond;

/**
 * How a client reads what is there for it: undefined while nothing is unsent. Looks at one stretch after another: what a
 * client has read quickly before gives it no credit.
 */
export function readingStretch(
  socket: Socket,
  stretch: Stretch | undefined,
  now: number,
  { bytesPerSecond, milliseconds }: ReadingRate,
): { readonly stretch: Stretch | undefined; readonly isTooSlow: boolean } {
  const { unsent, sent } = progressOf(socket);
  if (unsent === 0) return { stretch: undefined, isTooSlow: false };
  const next = { before: sent, since: now };
  if (stretch === undefined) return { stretch: next, isTooSlow: false };
  if (now - stretch.since < milliseconds) return { stretch, isTooSlow: false };
  return { stretch: next, isTooSlow: isBelowRate(sent, stretch, now, bytesPerSecond) };
}

/** Node's internal stream handle: it counts the bytes it was given, and those that the kernel has not accepted. */
interface Handle {
  readonly bytesWritten?: number;
  readonly writeQueueSize?: number;
}

/** Bytes not sent yet, and sent ones. What the socket itself counts changes only when a whole write begins or ends. */
function progressOf(socket: Socket): { readonly unsent: number; readonly sent: number } {
  // Sockets do not declare the handle in their public type.
  const { _handle: handle } = socket as { readonly _handle?: Handle | null };
  const unsent = handle?.writeQueueSize ?? 0;
  return { unsent, sent: (handle?.bytesWritten ?? 0) - unsent };
}
