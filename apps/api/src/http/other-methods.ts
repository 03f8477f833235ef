import type { Context } from 'koa';
import { respondProblem } from './respond.ts';

/** Answers OPTIONS, and any method that a path does not have; `methods` are those that it has. */
export function respondOtherMethod(ctx: Context, methods: readonly string[]): void {
  const allow = [...new Set([...methods, 'OPTIONS'])].join(', ');
  if (ctx.method !== 'OPTIONS') return respondProblem(ctx, { type: 'MethodNotAllowed', allow });
  ctx.set('Allow', allow);
  ctx.status = 204;
}

/** Whether the request reads; otherwise it is answered. For paths that can only be read. */
export function requireRead(ctx: Context): boolean {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (!isRead) respondOtherMethod(ctx, ['HEAD', 'GET']);
  return isRead;
}
