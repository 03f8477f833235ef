import { type HttpError, payloadsUnread } from '@zonewright/api-description';
import type { MemoryReservation } from '@zonewright/core';
import type { Context } from 'koa';
import { err, ok, type Result } from 'neverthrow';
import type { Arrival } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { isSafe } from '../http/origin.ts';
import { respondProblem, type Sendable, send } from '../http/respond.ts';
import { countedPayload, type PayloadBudget, type Release } from './payload-budget.ts';

/** Rejects work for a caller with too many unread responses before it starts, unless it has its memory already. */
export function requireMemory(
  { caller, reserved }: Exchange,
  _route: unknown,
  { payloads, forwarded }: { readonly payloads: PayloadBudget; readonly forwarded?: unknown },
): Result<void, HttpError> {
  if (caller === undefined || forwarded !== undefined || reserved.length > 0) return ok();
  return payloads.hasRoomFor(caller.userId) ? ok() : err(payloadsUnread());
}

/** There is no memory for what a request would read. */
class MemoryExhausted extends Error {
  override readonly name = 'MemoryExhausted';
}

/**
 * The memory for long texts that the request reads; they are released when its response is ready. A request for more than
 * a user's share gets it while it is the only one.
 */
export const memoryOf = ({ reserved }: Exchange, budget: PayloadBudget): MemoryReservation => {
  const request = { held: 0 };
  return {
    reserve: async (user, bytes) => {
      const release = await budget.whenFitting(user, bytes, request);
      if (release === undefined) throw new MemoryExhausted('No memory for a long text.');
      reserved.push(release);
    },
  };
};

/** Executes a request in the memory that it reserves, and turns the lack of memory into an error. */
export const inReservedMemory = async <T, E>(
  { reserved }: Exchange,
  work: () => PromiseLike<Result<T, E>>,
): Promise<Result<T, E | HttpError>> => {
  try {
    return await work();
  } catch (failure) {
    if (failure instanceof MemoryExhausted) return err(payloadsUnread());
    throw failure;
  } finally {
    for (const release of reserved.splice(0)) release();
  }
};

/**
 * Reserves what has arrived, in steps: a client that only announces a large body occupies nothing. A request whose zone
 * was large enough to use up the share has been admitted with its body.
 */
export function arrivalOf({ ctx, caller, reserved }: Exchange, budget: PayloadBudget): Arrival {
  if (caller === undefined) return () => true;
  const releases: Release[] = [];
  let room = countedPayload;
  return (bytes) => {
    for (room -= bytes; room < 0; room += countedPayload) {
      const isAdmitted = reserved.length > 0;
      const release = budget[isAdmitted ? 'occupy' : 'reserve'](caller.userId, countedPayload);
      if (release === undefined) return false;
      releases.push(release);
      if (releases.length === 1) untilSent(ctx, () => releases.splice(0).forEach((each) => each()));
    }
    return true;
  };
}

/**
 * Sends a response; a large one occupies the budget until the client has read it. A read that does not fit is rejected;
 * a write has been executed by then, so its response is always sent.
 */
export function sendWithin({ ctx, caller }: Exchange, rendered: Sendable, budget: PayloadBudget): void {
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  const isSmall = rendered.body === undefined || rendered.body.length * 3 <= countedPayload;
  if (caller === undefined || isSmall) return send(ctx, rendered);
  const body = typeof rendered.body === 'string' ? Buffer.from(rendered.body) : rendered.body;
  if (body.length > countedPayload) {
    const { userId } = caller;
    const release = isSafe(ctx.method) ? budget.reserve(userId, body.length) : budget.occupy(userId, body.length);
    if (release === undefined) return respondProblem(ctx, payloadsUnread());
    untilSent(ctx, release);
  }
  send(ctx, { ...rendered, body });
}

/** Releases when the response has been sent or can no longer be read. */
function untilSent({ req: { socket }, res }: Context, release: Release): void {
  const done = () => {
    res.off('finish', done);
    socket.off('close', done);
    release();
  };
  if (socket.destroyed) return release();
  res.once('finish', done);
  // A pipelined response that waits for its turn is not notified when the connection closes.
  socket.once('close', done).setMaxListeners(0);
}
