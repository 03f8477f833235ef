import type { Caller } from '@zonewright/core';
import type { Context } from 'koa';
import { err, ok, type Result } from 'neverthrow';
import { type HttpError, payloadsUnread } from '../errors/problems.ts';
import { hasBody } from '../http/body.ts';
import { isSafe } from '../http/origin.ts';
import { callerIn } from '../http/recognize.ts';
import { type Rendered, respondProblem, send } from '../http/respond.ts';
import type { Route } from '../http/route.ts';
import { countedPayload, type PayloadBudget, type Release } from './payload-budget.ts';

/** Refuses work for a caller who leaves too much unread, before any of it is done. */
export const requireRoom = (budget: PayloadBudget, { userId }: Caller): Result<void, HttpError> =>
  budget.hasRoomFor(userId) ? ok() : err(payloadsUnread());

/** Reserves the size of a large request body before it is read: what it says, or else the most that is read. */
export function reserveBody(
  ctx: Context,
  budget: PayloadBudget,
  { bodyLimit }: Pick<Route, 'bodyLimit'>,
  caller: Caller | undefined,
): Result<void, HttpError> {
  if (caller === undefined || !hasBody(ctx)) return ok();
  const bytes = Math.min(ctx.request.length ?? bodyLimit, bodyLimit);
  if (bytes <= countedPayload) return ok();
  const release = budget.reserve(caller.userId, bytes);
  if (release === undefined) return err(payloadsUnread());
  untilSent(ctx, release);
  return ok();
}

/**
 * Sends an answer; a large one occupies the budget until the client has read it. A read that does not fit is refused; a
 * change has been carried out by now, so its answer is sent in any case.
 */
export function sendWithin(ctx: Context, rendered: Rendered, budget: PayloadBudget): void {
  const caller = callerIn(ctx);
  // A code unit of a string is three bytes at most.
  const isSmall = rendered.body === undefined || rendered.body.length * 3 <= countedPayload;
  if (caller === undefined || isSmall) return send(ctx, rendered);
  const body = Buffer.from(rendered.body);
  if (body.length > countedPayload) {
    const { userId } = caller;
    const release = isSafe(ctx.method) ? budget.reserve(userId, body.length) : budget.occupy(userId, body.length);
    if (release === undefined) return respondProblem(ctx, payloadsUnread());
    untilSent(ctx, release);
  }
  send(ctx, { ...rendered, body });
}

/** Releases when the answer has left the process, or when it cannot be read any more. */
function untilSent({ req: { socket }, res }: Context, release: Release): void {
  const done = () => {
    res.off('finish', done);
    socket.off('close', done);
    release();
  };
  if (socket.destroyed) return release();
  res.once('finish', done);
  // An answer that waits for its turn on the connection does not learn when the connection closes.
  socket.once('close', done).setMaxListeners(0);
}
