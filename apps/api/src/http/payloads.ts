import type { Caller } from '@zonewright/core';
import type { Context } from 'koa';
import { err, ok, type Result } from 'neverthrow';
import { type HttpError, payloadsUnread } from '../errors/problems.ts';
import { countedPayload, type PayloadBudget, type Release } from '../limits/payload-budget.ts';
import { hasBody } from './body.ts';
import type { Exchange } from './exchange.ts';
import { isSafe } from './origin.ts';
import { respondProblem, type Sendable, send } from './respond.ts';
import type { Route } from './route.ts';

/** Rejects work for a caller with too many unread responses before it starts. */
export const requireRoom = (budget: PayloadBudget, { userId }: Caller): Result<void, HttpError> =>
  budget.hasRoomFor(userId) ? ok() : err(payloadsUnread());

/** Reserves the size of a large request body before reading it: its `Content-Length`, or else the maximum. */
export function reserveBody(
  { ctx, caller }: Exchange,
  { bodyLimit }: Pick<Route, 'bodyLimit'>,
  budget: PayloadBudget,
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
