import type { Context } from 'koa';
import { respondProblem } from './respond.ts';

/** Answers OPTIONS, and any method that the path does not support; `methods` are the supported ones. */
export function respondOtherMethod(ctx: Context, methods: readonly string[]): void {
  const allow = [...new Set([...methods, 'OPTIONS'])].join(', ');
  if (ctx.method !== 'OPTIONS') return respondProblem(ctx, { type: 'MethodNotAllowed', allow });
  ctx.set('Allow', allow);
  ctx.status = 204;
}

/** For read-only paths: returns whether the request reads, and responds itself if not. */
export function requireRead(ctx: Context): boolean {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (!isRead) respondOtherMethod(ctx, ['HEAD', 'GET']);
  return isRead;
}
